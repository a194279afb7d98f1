"""Learning the two-way models by Monte-Carlo labels: both answers to a question, rolled out to the end of the round."""

"""What an MCR hand can become: target hands of 8 fan and more, their distance, probability and worth."""

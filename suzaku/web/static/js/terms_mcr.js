// Terms of MCR in English, Japanese and Chinese.
export const MCR_TERMS = {
  win: ["Win", "和了", "和"],
  self_draw: ["Self-drawn", "ツモ", "自摸"],
  fan: ["fan", "番", "番"],
  flowers: ["Flowers", "花牌", "花牌"],
  flower: ["flower", "花", "花"],
  wall_left: ["left in the own wall", "自分の山の残り", "自己牌墙剩余"],
  foul: ["Foul", "反則", "犯规"],
  "mcr self-draw": ["Self-drawn win", "ツモ和了", "自摸和牌"],
  "mcr win on discard": ["Win on a discard", "ロン和了", "点和"],
  "mcr draw": ["Draw: no tile is left", "流局", "荒庄"],
  "mcr foul": ["Foul", "反則", "犯规"],
  under_minimum: ["under 8 fan", "8番未満", "不足8番"],
  under_minimum_ron: ["under 8 fan: only by self-draw", "8番未満:ツモのみ", "不足8番:只能自摸"],
  game: ["Game", "ゲーム", "玩法"],
  game_riichi: ["Riichi", "リーチ麻雀", "立直麻将"],
  game_mcr: ["Chinese Standard (MCR)", "中国麻雀 (MCR)", "国标麻将"],
  hand_length: ["One hand", "1局", "一局"],
  match: ["16 hands", "16局 (4圏)", "16局 (四圈)"],
  botzone: ["Private walls, no flowers", "個別の山・花牌なし (Botzone)", "复式赛制、无花牌 (Botzone)"],
  table: ["One wall with flowers", "共通の山・花牌あり", "普通牌墙、有花牌"],
  duplicate: ["A private wall for each seat", "個別の山 (複式)", "各家独立牌墙 (复式)"],
  mixed_kongs: ["Concealed and melded kong: 5 fan", "明暗槓 5番", "明暗杠 5番"],
  short: ["short", "不足", "缺"],
  risk: ["risk", "放銃損", "放铳损失"],
  best_ways: ["What the hand can become", "手牌の行き先", "可以做成的牌"],
  then_discard: ["then", "打", "打"],
  by_draw_only: ["self-draw only", "ツモのみ", "只能自摸"],
  no_plan: ["no plan within six tiles", "6枚以内に狙いなし", "六张之内没有牌路"],
  plans_note: [
    "Each plan: the fans of its nearest hand and their total, the tiles it still needs (with how many are unseen), " +
      "and the chance to win by it. A total is that of a win on the last tile, the others drawn.",
    "各狙い:最も近い和了形の役と合計番、必要な牌(見えていない枚数)、和了の見込み。合計は最後の牌で和了した場合。",
    "每条牌路:最近成牌的番种与总番、还缺的牌(未见张数)和和牌机会。总番按最后一张和牌、其余自摸计算。",
  ],
  worth_note: [
    "The opinion is the agent's own: it weighs fan and danger too. Another choice would win more often here.",
    "評価はAI自身のもので、和了の番数や放銃の危険も考慮します。ここでは別の手の方が和了率は高くなります。",
    "评价是该AI自己的判断,也考虑和牌的番数与放铳危险。此处另一手的和率更高。",
  ],
  short_note: [
    "short: tiles missing to the nearest hand of 8 fan or more; win: the chance to win, by plans alone; risk: points " +
      "that the discard costs on average, roughly.",
    "不足:8番以上の最も近い手までの枚数。和了率:狙いから見た和了の見込み。放銃損:打牌で平均して失う点の目安。",
    "缺:离最近的8番以上的牌还缺几张;和率:按牌路估计的和牌机会;放铳损失:打出该牌平均损失的分数(粗略)。",
  ],
};

// Letters of the Chinese names that are written otherwise in Japanese.
const LETTERS =
  "绿緑 莲蓮 灯燈 杠槓 连連 对対 龙龍 顺順 节節 步歩 风風 齐斉 门門 带帯 " +
  "无無 单単 钓釣 边辺 张張 抢搶 捞撈 组組 圈圏 归帰 绝絶 开開";
const JAPANESE = Object.fromEntries(LETTERS.split(" ").map(([chinese, japanese]) => [chinese, japanese]));

export const inJapanese = (chinese) => [...chinese].map((letter) => JAPANESE[letter] || letter).join("");

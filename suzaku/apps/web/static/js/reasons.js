// Why a record cannot be read or followed: the server's usual sentences in Japanese and Chinese, by the English one.
// {places} stand for anything; {rest} is such a sentence again.
import { fillIn, inLanguage } from "./texts.js";

const REASONS = [
  ["line {n}: {rest}", "{n}行目:{rest}", "第{n}行:{rest}"],
  ["round {n}: {rest}", "{n}局目:{rest}", "第{n}局:{rest}"],
  ["the file is empty", "ファイルが空です", "文件是空的"],
  [
    "the file holds {kind} that is neither mjlog XML nor tenhou.net/6 JSON nor mjai JSON lines nor a match of Botzone",
    "mjlog、tenhou.net/6、mjai、Botzoneのどの形式でもありません",
    "不是mjlog、tenhou.net/6、mjai、Botzone中的任何格式",
  ],
  ["three players", "三人麻雀です", "是三人麻将"],
  ["not four players", "四人の対局ではありません", "不是四人对局"],
  ["no red fives", "赤ドラなしの対局です", "是无赤宝牌的对局"],
  ["a lobby with rules of its own ({kind})", "独自ルールの個室です({kind})", "是自定规则的包间({kind})"],
  [
    "the hands are hidden: this is one player's view and no record of the table",
    "手牌が伏せられています:一人の視点の記録で、卓全体の牌譜ではありません",
    "手牌被隐藏:这是一名玩家的视角,不是整桌的牌谱",
  ],
  [
    "line {n} is no whole JSON text; is the file cut off?",
    "{n}行目のJSONが不完全です。ファイルが途中で切れていませんか",
    "第{n}行的JSON不完整,文件是否被截断?",
  ],
  [
    "line {n} is no whole tenhou.net/6 log; is the file cut off?",
    "{n}行目のtenhou.net/6の記録が不完全です。ファイルが途中で切れていませんか",
    "第{n}行的tenhou.net/6记录不完整,文件是否被截断?",
  ],
  [
    "round {n} has no end; is the file cut off?",
    "{n}局目に終わりがありません。ファイルが途中で切れていませんか",
    "第{n}局没有结束,文件是否被截断?",
  ],
  [
    "the XML breaks off or is broken at line {line}, column {column}",
    "XMLが{line}行{column}列で途切れているか壊れています",
    "XML在第{line}行第{column}列中断或损坏",
  ],
  ["the gzip file is broken", "gzipファイルが壊れています", "gzip文件已损坏"],
  ["the gzip file is cut off", "gzipファイルが途中で切れています", "gzip文件不完整"],
  ["a part of the record cannot be read", "牌譜の一部を読めません", "牌谱的一部分无法读取"],
  ["line {n} is no event of mjai: {why}", "{n}行目はmjaiのイベントではありません({why})", "第{n}行不是mjai事件({why})"],
  ["the dealt hands differ from the wall", "配牌が牌山と合いません", "配牌与牌山不符"],
  [
    "the recorded action is not legal; legal: {actions}",
    "記録された行動は反則です(可能:{actions})",
    "记录的行动不合法(可行:{actions})",
  ],
  ["the recorded action is not legal", "記録された行動は反則です", "记录的行动不合法"],
  [
    "the recorded seat is not the one whose turn it is",
    "記録された席の番ではありません",
    "记录的座位不是轮到的座位",
  ],
  [
    "the drawn tile differs from the wall, or nobody draws now",
    "ツモ牌が牌山と合わないか、ツモの番ではありません",
    "摸牌与牌山不符,或现在无人摸牌",
  ],
  [
    "the tile called or won is not the one just discarded",
    "鳴いた牌・和了牌が直前の捨て牌ではありません",
    "鸣或和的牌不是刚打出的牌",
  ],
  ["the dora indicator differs from the wall", "ドラ表示牌が牌山と合いません", "宝牌指示牌与牌山不符"],
  ["a dora indicator shows at another time", "ドラ表示牌をめくる時が違います", "翻宝牌指示牌的时机不同"],
  [
    "the record accepts a riichi that the rules do not",
    "ルール上成立しないリーチが成立しています",
    "记录中成立了规则不允许的立直",
  ],
  [
    "the rules accept a riichi that the record does not",
    "ルール上成立するリーチが成立していません",
    "规则允许的立直在记录中未成立",
  ],
  ["the record ends the round, the rules go on", "ルール上まだ続く局が終わっています", "按规则未完的一局在记录中结束"],
  ["the round ends in another way", "局の終わり方が違います", "该局的结束方式不同"],
  ["the rules end the round, the record goes on", "ルール上終わった局が続いています", "按规则已完的一局在记录中继续"],
  ["the recorded seat cannot claim this tile", "記録された席はこの牌を鳴けません", "记录的座位不能鸣这张牌"],
  [
    "the game is over by the rules, the record goes on",
    "ルール上終わった対局が続いています",
    "按规则已结束的对局在记录中继续",
  ],
  ["the record ends the game, the rules go on", "ルール上まだ続く対局が終わっています", "按规则未完的对局在记录中结束"],
];

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const PATTERNS = REASONS.map(([sentence]) => {
  const pattern = escape(sentence).replace(/\\\{(\w+)\\\}/g, "(?<$1>.+?)");
  return new RegExp(`^${pattern}$`);
});

// A reason in the language of the page; one without a translation stays English, in quotes.
export function reasonText(reason) {
  for (const [i, pattern] of PATTERNS.entries()) {
    const found = pattern.exec(reason);
    if (!found) continue;
    const text = inLanguage([reason, ...REASONS[i].slice(1)]);
    if (text === reason) return reason;
    const values = { ...found.groups };
    if (values.rest) values.rest = reasonText(values.rest);
    return fillIn(text, values);
  }
  return inLanguage([reason, `“${reason}”`, `“${reason}”`]);
}

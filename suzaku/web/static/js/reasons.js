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
    "the hands are hidden: this is one player's view, not a record of the table",
    "手牌が伏せられています:一人の視点の記録で、卓全体の牌譜ではありません",
    "手牌被隐藏:这是一名玩家的视角,不是整桌的牌谱",
  ],
  [
    "line {n} is not a whole JSON text; is the file cut off?",
    "{n}行目のJSONが不完全です。ファイルが途中で切れていませんか",
    "第{n}行的JSON不完整,文件是否被截断?",
  ],
  [
    "line {n} is not a whole tenhou.net/6 log; is the file cut off?",
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
  [
    "the gzip file holds another gzip file: decompress it once",
    "gzipファイルの中にgzipファイルがあります。一度展開してください",
    "gzip文件中还有gzip文件,请先解压一次",
  ],
  [
    "the text has more than {n} MB, the most that is read; split a file of many games",
    "テキストが上限の{n} MBを超えています。多くの対局のファイルは分けてください",
    "文本超过上限{n} MB,请拆分含多个对局的文件",
  ],
  [
    "the file takes longer than {n} seconds to read",
    "ファイルの読み込みに{n}秒以上かかります",
    "读取文件超过{n}秒",
  ],
  [
    "what reads files is still being compiled for this machine: try again in a minute",
    "牌譜の読み込みを準備中です。1分後にもう一度お試しください",
    "读取牌谱的程序仍在编译,请一分钟后再试",
  ],
  ["a part of the record cannot be read", "牌譜の一部を読めません", "牌谱的一部分无法读取"],
  [
    "line {n} is not an event of mjai: {why}",
    "{n}行目はmjaiのイベントではありません({why})",
    "第{n}行不是mjai事件({why})",
  ],
  [
    "seat {seat} was dealt {there} in the record, {here} by the wall",
    "席{seat}の配牌は記録では{there}、牌山では{here}です",
    "座位{seat}的配牌在记录中是{there},按牌山是{here}",
  ],
  [
    "{action} is not legal for seat {seat}; legal: {actions}",
    "席{seat}の「{action}」は反則です(可能:{actions})",
    "座位{seat}的“{action}”不合法(可行:{actions})",
  ],
  [
    "{action} is not legal for seat {seat}: the tile on offer is {tile}",
    "席{seat}は{tile}に「{action}」できません",
    "座位{seat}不能对{tile}“{action}”",
  ],
  [
    "the record says seat {seat} acts, by the rules {rest}",
    "記録では席{seat}の行動ですが、{rest}",
    "记录中是座位{seat}行动,但{rest}",
  ],
  [
    "the record says seat {seat} takes a tile of seat {source}, by the rules {rest}",
    "記録では席{seat}が席{source}の牌を取りますが、{rest}",
    "记录中座位{seat}拿座位{source}的牌,但{rest}",
  ],
  ["it is the turn of seat {seat}", "席{seat}の番です", "轮到座位{seat}"],
  ["seat {seat} draws first", "先に席{seat}のツモです", "座位{seat}应先摸牌"],
  ["seat {seat} is asked about {tile}", "席{seat}が{tile}を鳴くか決める時です", "应由座位{seat}决定是否要{tile}"],
  ["seat {seat} offers {tile}", "場に出たのは席{seat}の{tile}です", "打出的是座位{seat}的{tile}"],
  ["the round is over", "局は終わっています", "该局已结束"],
  [
    "the record says {there} was drawn, the wall has {here}",
    "記録のツモは{there}、牌山では{here}です",
    "记录中摸到{there},牌山是{here}",
  ],
  [
    "the record says {tile} was drawn, by the rules {rest}",
    "記録では{tile}をツモりますが、{rest}",
    "记录中摸到{tile},但{rest}",
  ],
  [
    "the record says seat {seat} had drawn {there}, by the rules it was {here}",
    "記録では席{seat}のツモは{there}、ルール上は{here}です",
    "记录中座位{seat}摸到的是{there},按规则是{here}",
  ],
  [
    "the record says {there} was taken, the tile on offer is {here}",
    "記録で取られたのは{there}、場に出た牌は{here}です",
    "记录中拿走的是{there},打出的牌是{here}",
  ],
  [
    "the record says the dora indicator {n} is {there}, the wall has {here}",
    "{n}枚目のドラ表示牌は記録では{there}、牌山では{here}です",
    "第{n}张宝牌指示牌在记录中是{there},牌山是{here}",
  ],
  [
    "the record shows a sixth dora indicator, a wall has five",
    "6枚目のドラ表示牌があります",
    "出现了第六张宝牌指示牌",
  ],
  [
    "dora indicators shown so far: {there} in the record, {here} by the rules",
    "ここまでのドラ表示牌は記録では{there}枚、ルール上は{here}枚です",
    "至此翻开的宝牌指示牌在记录中是{there}张,按规则是{here}张",
  ],
  [
    "the record accepts the riichi of seat {seat}, the rules do not",
    "ルール上成立しない席{seat}のリーチが成立しています",
    "记录中成立了规则不允许的座位{seat}的立直",
  ],
  [
    "the rules accept the riichi of seat {seat}, the record does not",
    "ルール上成立する席{seat}のリーチが成立していません",
    "规则允许的座位{seat}的立直在记录中未成立",
  ],
  [
    "the record ends the round, by the rules {rest}",
    "記録では局が終わりますが、{rest}",
    "记录中该局结束,但{rest}",
  ],
  [
    "the round ends by {there} in the record, by {here} by the rules",
    "局の終わり方は記録では{there}、ルール上は{here}です",
    "该局的结束方式在记录中是{there},按规则是{here}",
  ],
  [
    "the rules end the round ({result}), the record goes on",
    "ルール上終わった局({result})が続いています",
    "按规则已完的一局({result})在记录中继续",
  ],
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

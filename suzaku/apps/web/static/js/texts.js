// Every text of the page in English, Japanese and Chinese: key -> [en, ja, zh].
import { settings } from "./dom.js";

const LANGUAGES = ["en", "ja", "zh"];
const TEXTS = {
  start: ["Start", "開始", "开始"], games: ["Games", "牌譜", "牌谱"],
  new_game: ["New game", "新しい対局", "新对局"], opponents: ["Opponents", "対戦相手", "对手"], opponent: ["Opponent", "相手", "对手"],
  name: ["Your name", "名前", "名字"], you: ["you", "自分", "你"], length: ["Length", "長さ", "长度"], east: ["East only", "東風戦", "东风战"],
  hanchan: ["Hanchan (east and south)", "半荘戦", "半庄战"], rules: ["Rules", "ルール", "规则"], tenhou: ["Tenhou", "天鳳", "天凤"],
  "no red fives": ["Tenhou without red fives", "天鳳 赤なし", "天凤 无赤"], more_rules: ["All switches of the rules", "ルールの詳細", "规则细节"],
  seed: ["Seed (the same tiles again)", "シード (同じ牌山)", "种子 (同样牌山)"], random: ["random", "ランダム", "随机"],
  timer: ["Time for a move", "持ち時間", "思考时间"], no_limit: ["no limit", "無制限", "不限"], seconds: ["s", "秒", "秒"],
  pace: ["Pace of the agents", "AIの速さ", "AI速度"], slow: ["slow", "遅い", "慢"], normal: ["normal", "普通", "普通"], fast: ["fast", "速い", "快"], instant: ["at once", "即時", "立即"],
  people: ["People at the table", "人数", "真人人数"], just_me: ["only me", "自分だけ", "只有我"], watch: ["none: watch the agents", "観戦のみ", "观战"],
  adviser: ["Hints by", "ヒントのAI", "提示AI"],
  open_tables: ["Open tables", "募集中の卓", "等待中的牌桌"], join: ["Join", "参加", "加入"], look: ["Watch", "観戦", "观战"],
  waiting: ["Waiting for people: send them this address", "参加者を待っています。このアドレスを送ってください", "等待玩家:请把此地址发给他们"],
  begin: ["Begin now, agents take the free seats", "空席はAIで今すぐ開始", "空位由AI补上,立即开始"], copy: ["Copy", "コピー", "复制"], copied: ["Copied", "コピーしました", "已复制"],
  drop: ["Drop a game record here (mjlog, tenhou.net/6, mjai), or choose a file", "牌譜ファイル (mjlog, tenhou.net/6, mjai) をここにドロップ、または選択", "把牌谱文件(mjlog、tenhou.net/6、mjai)拖到这里,或选择文件"],
  no_games: ["No games yet.", "まだ対局がありません。", "还没有对局。"], replay: ["Replay", "再生", "回放"], unfinished: ["not finished", "未終了", "未完"], download: ["Download", "保存", "下载"],
  settings: ["Settings", "設定", "设置"], language: ["Language", "言語", "语言"], theme: ["Colours", "配色", "配色"], auto: ["as the system", "システム", "跟随系统"], light: ["light", "ライト", "浅色"], dark: ["dark", "ダーク", "深色"],
  tiles: ["Tiles", "牌", "牌面"], labels: ["Japanese with labels", "漢字と記号", "汉字加标号"], classic: ["Japanese", "漢字", "汉字"], numbers: ["Numbers", "数字", "数字"],
  opt_waits: ["Show waits and furiten", "待ちとフリテンを表示", "显示听牌与振听"], opt_hints: ["Always show hints", "常にヒントを表示", "总是显示提示"], opt_autoPass: ["No calls", "鳴きなし", "不鸣牌"],
  opt_autoWin: ["Win automatically", "自動和了", "自动和牌"], opt_autoDrawn: ["Discard by itself after riichi", "リーチ後自動ツモ切り", "立直后自动摸切"], opt_confirm: ["Tap twice to discard", "二度タップで打牌", "点两次打牌"],
  close: ["Close", "閉じる", "关闭"], back: ["Back", "戻る", "返回"], leave: ["Leave", "退席", "离席"], leave_sure: ["Leave the table? An agent will play on for you.", "退席しますか? 以後はAIが打ちます。", "离席吗?之后由AI代打。"],
  riichi: ["Riichi", "リーチ", "立直"], cancel: ["Cancel", "取消", "取消"], tsumo: ["Tsumo", "ツモ", "自摸"], ron: ["Ron", "ロン", "荣和"], chow: ["Chow", "チー", "吃"], pong: ["Pong", "ポン", "碰"], kong: ["Kong", "カン", "杠"],
  nine: ["Nine kinds", "九種九牌", "九种九牌"], pass: ["Pass", "パス", "过"], hint: ["Hint", "ヒント", "提示"], next: ["Next", "次へ", "继续"], again: ["New game", "もう一局", "再来一局"],
  your_turn: ["Your turn", "あなたの番", "轮到你"], choose_discard: ["Choose the discard for riichi", "リーチ宣言牌を選択", "选择立直宣言牌"], waits: ["Waits", "待ち", "听牌"], furiten: ["furiten", "フリテン", "振听"], shanten: ["shanten", "向聴", "向听"], tenpai: ["tenpai", "聴牌", "听牌"], complete: ["complete", "和了形", "和了形"],
  reading: ["reading", "読み込み中", "读取中"], thinking: ["thinking", "思考中", "思考中"], lost: ["The connection is lost; trying again", "接続が切れました。再接続中", "连接断开,正在重连"], gone: ["This table is closed.", "この卓は終了しました。", "此牌桌已关闭。"], failed: ["The table had to stop.", "卓が停止しました。", "牌桌已停止。"], left: ["You left the table.", "退席しました。", "你已离席。"], closed: ["The server closed the table.", "サーバーが卓を閉じました。", "服务器关闭了牌桌。"],
  no_seat: ["No seat is free at this table.", "空席がありません。", "没有空位。"],
  honba: ["honba", "本場", "本场"], sticks: ["riichi sticks", "供託", "供托"], tiles_left: ["tiles left", "残り", "剩余"], dora: ["dora", "ドラ", "宝牌"], ura: ["ura dora", "裏ドラ", "里宝牌"], dealer: ["dealer", "親", "庄家"],
  han: ["han", "翻", "番"], fu: ["fu", "符", "符"], points: ["points", "点", "点"], yakuman: ["yakuman", "役満", "役满"], "counted yakuman": ["counted yakuman", "数え役満", "累计役满"], mangan: ["mangan", "満貫", "满贯"], haneman: ["haneman", "跳満", "跳满"], baiman: ["baiman", "倍満", "倍满"], sanbaiman: ["sanbaiman", "三倍満", "三倍满"],
  from: ["from", "放銃", "放铳"], final: ["Final ranking", "最終順位", "最终顺位"], result: ["Result", "結果", "结果"], score: ["score", "点数", "点数"],
  "self-draw": ["Self-draw", "ツモ和了", "自摸和了"], "win on discard": ["Win on a discard", "ロン和了", "荣和"], "exhaustive draw": ["Exhaustive draw", "流局", "荒牌流局"], "nagashi mangan": ["Nagashi mangan", "流し満貫", "流局满贯"], "nine kinds": ["Nine kinds: dealt again", "九種九牌", "九种九牌"], "four winds": ["Four winds: dealt again", "四風連打", "四风连打"], "four riichi": ["Four riichi: dealt again", "四家立直", "四家立直"], "four kongs": ["Four kongs: dealt again", "四槓散了", "四杠散了"], "three wins": ["Three wins: dealt again", "三家和", "三家和"],
  waiting_hands: ["waiting", "聴牌", "听牌"],
  would: ["would", "なら", "会选"], discard: ["Discard", "打", "打"], accepts: ["accepts", "受け入れ", "进张"], win_chance: ["win", "和了率", "和率"], mean_points: ["points", "打点期待", "得点期望"], danger: ["danger", "危険度", "危险度"], opinion: ["opinion", "評価", "评价"], no_scores: ["This agent names its choice only.", "このAIは選択のみを示します。", "该AI只给出选择。"],
  danger_note: ["⚠ danger: how often the opponent waits for the tile when the hidden tiles are dealt at random, waiting if in riichi. ✓ safe, * suji, ° no or half a two-sided wait.", "危険度:見えない牌を無作為に配った時(リーチ者は聴牌)、その牌で待つ割合。✓現物 *筋 °両面なし・片筋。", "危险度:随机分配未见牌(立直者为听牌)时,对手等这张牌的比例。✓现物 *筋 °无两面或半筋。"],
  genbutsu: ["safe", "現物", "现物"], suji: ["suji", "筋", "筋"], half_suji: ["half suji", "片筋", "半筋"], no_two_sided: ["no two-sided wait", "両面なし", "无两面"],
  round: ["Round", "局", "局"], step: ["Step", "手順", "步"], first: ["First", "最初", "最前"], previous: ["Back", "前へ", "后退"], forward: ["Forward", "次へ", "前进"], last: ["Last", "最後", "最后"], open_hands: ["All hands open", "全員の手牌を表示", "显示所有手牌"], every_pass: ["Stop at every pass", "パスも表示", "显示每次过牌"], seat_of: ["Seen from", "視点", "视角"], agent: ["Agent", "AI", "AI"], agrees: ["agrees", "一致", "一致"], differs: ["would rather", "推奨", "更愿意"], played: ["played", "実際", "实际"], agreement: ["agreement", "一致率", "一致率"], loss: ["worse by", "差", "差"], next_difference: ["Next difference", "次の相違", "下一处不同"], away: ["played by the agent (no answer)", "代打", "代打"], stays_secret: ["The record stops here", "牌譜はここまで", "牌谱到此为止"],
  self: ["yourself", "自分", "自己"], right: ["right", "下家", "下家"], across: ["across", "対面", "对家"], left_seat: ["left", "上家", "上家"], hand: ["hand", "手牌", "手牌"], river: ["river", "河", "牌河"], melds: ["melds", "副露", "副露"], drawn: ["drawn", "ツモ", "摸牌"], face_down: ["face down", "伏せ牌", "暗牌"], red: ["red", "赤", "赤"], called_tile: ["called", "鳴かれた牌", "被鸣"], keys: ["Keys: arrows and Enter to discard, D drawn tile, R riichi, C chow, P pong, K kong, W win, X pass, H hint, N next", "キー:矢印とEnterで打牌、Dツモ切り、Rリーチ、Cチー、Pポン、Kカン、W和了、Xパス、Hヒント、N次へ", "按键:方向键和回车打牌,D摸切,R立直,C吃,P碰,K杠,W和,X过,H提示,N继续"],
  connected: ["connected", "接続中", "在线"], away_person: ["away", "離席", "离线"], free: ["free", "空席", "空位"],
  bust: ["A score below 0 ends the game", "トビ終了", "被飞结束"], dealer_stops: ["The dealer on top may stop", "あがりやめ", "庄家可终局"], red_fives: ["Red fives", "赤ドラ", "赤宝牌"], kong_dora: ["Kong dora", "槓ドラ", "杠宝牌"], ura_dora: ["Ura dora", "裏ドラ", "里宝牌"], ippatsu: ["Ippatsu", "一発", "一发"], open_tanyao: ["Open tanyao", "喰いタン", "食断"], counted_yakuman: ["Counted yakuman", "数え役満", "累计役满"], double_yakuman: ["Double yakuman", "ダブル役満", "双倍役满"], round_up_mangan: ["Round up to mangan", "切り上げ満貫", "切上满贯"], riichi_needs_points: ["Riichi needs 1,000 points", "リーチに千点必要", "立直需千点"], swap_calling: ["Swap calling", "喰い替え", "食替"], rob_closed_kong: ["Orphans rob closed kongs", "国士の暗槓搶槓", "国士抢暗杠"], too_many_wins_abort: ["Three wins abort", "三家和流局", "三家和流局"], abort_nine_kinds: ["Nine kinds abort", "九種九牌", "九种九牌"], abort_four_winds: ["Four winds abort", "四風連打", "四风连打"], abort_four_riichi: ["Four riichi abort", "四家立直", "四家立直"], abort_four_kongs: ["Four kongs abort", "四槓散了", "四杠散了"], nagashi_mangan: ["Nagashi mangan", "流し満貫", "流局满贯"], pao: ["Liability (pao)", "責任払い", "包牌"], pao_whole_hand: ["Liable for the whole hand", "複合も責任払い", "复合亦包"],
};

const WINDS = [["East", "South", "West", "North"], ["東", "南", "西", "北"], ["东", "南", "西", "北"]];
const SUITS = { m: ["of characters", "萬", "万"], p: ["of circles", "筒", "筒"], s: ["of bamboos", "索", "索"] };
const HONOURS = [["east wind", "東", "东"], ["south wind", "南", "南"], ["west wind", "西", "西"], ["north wind", "北", "北"], ["white dragon", "白", "白"], ["green dragon", "發", "发"], ["red dragon", "中", "中"]];
const YAKU = {
  "menzen tsumo": ["門前清自摸和", "门前清自摸和"], riichi: ["立直", "立直"], ippatsu: ["一発", "一发"], chankan: ["搶槓", "抢杠"], rinshan: ["嶺上開花", "岭上开花"], haitei: ["海底摸月", "海底摸月"], houtei: ["河底撈魚", "河底捞鱼"], pinfu: ["平和", "平和"], tanyao: ["断幺九", "断幺九"], iipeikou: ["一盃口", "一杯口"],
  "seat wind east": ["自風 東", "自风 东"], "seat wind south": ["自風 南", "自风 南"], "seat wind west": ["自風 西", "自风 西"], "seat wind north": ["自風 北", "自风 北"], "round wind east": ["場風 東", "场风 东"], "round wind south": ["場風 南", "场风 南"], "round wind west": ["場風 西", "场风 西"], "round wind north": ["場風 北", "场风 北"], haku: ["役牌 白", "役牌 白"], hatsu: ["役牌 發", "役牌 发"], chun: ["役牌 中", "役牌 中"],
  "double riichi": ["両立直", "两立直"], chiitoitsu: ["七対子", "七对子"], chanta: ["混全帯幺九", "混全带幺九"], ittsuu: ["一気通貫", "一气通贯"], "sanshoku doujun": ["三色同順", "三色同顺"], "sanshoku doukou": ["三色同刻", "三色同刻"], sankantsu: ["三槓子", "三杠子"], toitoi: ["対々和", "对对和"], sanankou: ["三暗刻", "三暗刻"], shousangen: ["小三元", "小三元"], honroutou: ["混老頭", "混老头"], ryanpeikou: ["二盃口", "二杯口"], junchan: ["純全帯幺九", "纯全带幺九"], honitsu: ["混一色", "混一色"], chinitsu: ["清一色", "清一色"],
  tenhou: ["天和", "天和"], chiihou: ["地和", "地和"], daisangen: ["大三元", "大三元"], suuankou: ["四暗刻", "四暗刻"], "suuankou tanki": ["四暗刻単騎", "四暗刻单骑"], tsuuiisou: ["字一色", "字一色"], ryuuiisou: ["緑一色", "绿一色"], chinroutou: ["清老頭", "清老头"], chuuren: ["九蓮宝燈", "九莲宝灯"], "junsei chuuren": ["純正九蓮宝燈", "纯正九莲宝灯"], kokushi: ["国士無双", "国士无双"], "kokushi 13 wait": ["国士無双13面", "国士无双十三面"], daisuushi: ["大四喜", "大四喜"], shousuushi: ["小四喜", "小四喜"], suukantsu: ["四槓子", "四杠子"],
  dora: ["ドラ", "宝牌"], "ura dora": ["裏ドラ", "里宝牌"], "red five": ["赤ドラ", "赤宝牌"],
};

const language = () => Math.max(0, LANGUAGES.indexOf(settings.language));
export const t = (key) => (TEXTS[key] ? TEXTS[key][language()] : key);
export const windName = (wind) => WINDS[language()][wind];
export const yakuName = (name) => (language() && YAKU[name] ? YAKU[name][language() - 1] : name);
export const roundName = (number) => windName(Math.floor(number / 4) % 4) + (language() ? "" : " ") + ((number % 4) + 1) + (language() ? t("round") : "");

export function tileName(name) {
  if (name === "?") return t("face_down");
  const at = language(), n = name[0] === "0" ? 5 : +name[0];
  if (name[1] === "z") return HONOURS[n - 1][at];
  const red = name[0] === "0" ? t("red") : "";
  return at ? `${red}${n}${SUITS[name[1]][at]}` : `${red ? red + " " : ""}${n} ${SUITS[name[1]][at]}`;
}

// What an action of the server's table is called; `drawn` and `offer` name tiles that the number does not.
export function actionName(action, names, drawn) {
  if (action < 37) return `${t("discard")} ${tileName(names[action])}`;
  if (action === 37) return `${t("discard")} ${drawn ? tileName(drawn) : t("drawn")}`;
  if (action === 38) return t("riichi");
  if (action < 45) return t("chow");
  if (action < 47) return t("pong");
  if (action < 116) return action === 47 ? t("kong") : `${t("kong")} ${tileName(names[(action - 48) % 34])}`;
  return t({ 116: "tsumo", 117: "ron", 118: "nine", 119: "pass" }[action]);
}

export const number = (n, digits = 0) => n.toLocaleString("en-US", { minimumFractionDigits: digits }).replace("-", "−");

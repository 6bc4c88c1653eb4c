/** Marks of English that reads like a translation. */

const verbs =
  "is are was were has have had goes stays came comes becomes became may must can could will would should does did remains happens follows stands differs lives counts";
const subjects = "a an the it its they we you he nobody somebody no this that another other others else only";
const places =
  "a an the it its they there that this these those one no nobody somebody another other others nothing something what none all each every some any both several record records value values data only we you he";

function oneOf(words: string): string {
  return `(?:${words.split(" ").join("|")})`;
}

/** Name → pattern of a mark. Any match in a sentence counts. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ['a clause with "what": write a noun', new RegExp(`\\bwhat ${oneOf(`${verbs} ${subjects}`)}\\b`, "gi")],
  ['"where" for "if"', new RegExp(`\\bwhere ${oneOf(places)}\\b`, "g")],
  ["a thing that tells or knows", /\b(?:tells?|told|says?|said|hears?|heard|speaks?|knows of)\b/g],
  ["an actor without a name", /\b(?:nobody|somebody|anybody|everybody|whoever|whatever)\b/gi],
  [
    "a clause with a preposition in front: write two sentences",
    /\b(?:of|by|in|from|for|with|to|under|beside|behind|at|on) (?:which|whom|whose|what)\b/g,
  ],
  [
    "a condition in front",
    new RegExp(
      `^(?:Of|Without|Beside|Under) ${oneOf("a an the what these those such each it any its")}\\b`,
      "g",
    ),
  ],
]);

export function marksIn(sentence: string): string[] {
  return [...marks].flatMap(([name, pattern]) => (sentence.match(pattern) ?? []).map(() => name));
}

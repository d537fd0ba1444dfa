import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastGlob from 'fast-glob';

const root = path.join(import.meta.dirname, '..');

/** Wording that stops readers, in comments and pages. CONTRIBUTING explains what to write instead. */
const TEXT_RULES: Readonly<Record<string, { test(text: string): boolean }>> = {
  '“that of”: repeat the noun': /\b(?:that|those) of\b/i,
  '“What …” as a subject: name the thing': /^[*/\s]*What\b/,
  '“of what”, “by what”: name the thing': /\b(?:of|by|with|for|from|in|at) what\b/i,
  'private verbs: use the field’s':
    /\b(?:counts|went|goes up|(?:is|are) looked at|has the better of|names (?:the|an?|it|them)|named (?:by|in)|stands (?:for|in|there)|is there again)\b/i,
  'a sentence without a noun at its start': /^[*/\s]*(?:One|Those|That|It|They|Such|Others?)\b/,
  'fillers, such as “at all”: leave out':
    /\b(?:for ever|for good|at all|to say|as it does|as they are|as it is|of its own|of theirs)\b/i,
  'a sentence of more than 30 words': {
    test: (text) => text.split(/[.!?:;]\s/).some((sentence) => sentence.split(/\s+/).length > 30),
  },
};

/** Names that carry no meaning. */
const VAGUE_NAME =
  /\b(?:const|let|function|interface|type|class)\s+(?:one|others?|found|given|known|own|shown|wanted|told|made|asked|begun|gone|went|kept|noted|carried|listed|earlier|rest|here|there|what|how|whole|such)\b/g;

/** Counts the lines that each rule matches, in code and in pages. */
export function countWording(): Record<'code' | 'pages', Record<string, number>> {
  const code = { ...zeros(), 'vague names': 0 };
  for (const line of linesOf(
    ['{src,test,scripts}/**/*.{ts,js}'],
    ['**/fixtures/**', '**/golden/**', '**/node_modules/**'],
  )) {
    const comment = /^\s*(?:\/\/|\/?\*+)\s?(.*)$/.exec(line)?.[1] ?? /\s\/\/ (.*)$/.exec(line)?.[1];
    if (comment !== undefined) addTo(code, comment);
    code['vague names'] += line.match(VAGUE_NAME)?.length ?? 0;
  }
  const pages = zeros();
  for (const line of linesOf(
    ['{README,CHANGELOG,SECURITY,src/README}.md', 'docs/*.md', 'docs/adr/*.md', '.github/*.md'],
    [],
  ))
    if (!/^(?:```|\||<!--|\s{4})/.test(line)) addTo(pages, line);
  return { code, pages };
}

function zeros(): Record<string, number> {
  return Object.fromEntries(Object.keys(TEXT_RULES).map((rule) => [rule, 0]));
}

function addTo(counts: Record<string, number>, text: string): void {
  for (const [rule, pattern] of Object.entries(TEXT_RULES))
    if (pattern.test(text)) counts[rule] = (counts[rule] ?? 0) + 1;
}

function linesOf(patterns: string[], ignore: string[]): string[] {
  const files = fastGlob.sync(patterns, { cwd: root, dot: true, ignore });
  return files.flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'));
}

import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/diagnostics/catalogue.ts';
import { commandHelp } from '../src/command-line/help.ts';
import { commands } from './commands.ts';
import { PAGES, readPage, ROOT } from './docs/pages.ts';
import { countWording } from './wording.ts';

/** Words that only this project used, by the usual words to replace them. */
const PRIVATE_WORDS: Readonly<Record<string, RegExp>> = {
  'diagnostic, check, result': /\bfindings?\b/,
  'report, find, distinguish': /\b(?:told|tells?)\b/,
  'anonymous, no match, no one': /\bnobody\b/,
  'a user, the client': /\b(?:somebody|whoever)\b/,
  image: /\bpictures?\b/,
  'error responses': /\brefusals?\b/,
  again: /\banew\b/,
  fix: /\bmend(?:s|ed|ing)?\b/,
  corrupted: /\bspoilt\b/,
  'animated or multi-page image': /\bfilms?\b/,
  background: /\bgrounds?\b/,
  'appears, is duplicated': /\bstands? (?:twice|in its list)\b/,
  ignored: /\bpassed over\b/,
  'lower case, upper case': /\b(?:small|capital) letters?\b/,
  'one … per …': /\bone (?:key|folder|theme|row) an? (?:line|theme|user)\b/,
  'spilled, left': /\bset aside\b/,
  provides: /\blends?\b/,
  'for good': /\bfor ever\b/,
};

/** Returns the private words in a text, each with its replacement. */
function privateWords(where: string, text: string): string[] {
  return text.split('\n').flatMap((line) =>
    Object.entries(PRIVATE_WORDS).flatMap(([say, word]) => {
      const privateWord = new RegExp(word, 'i').exec(line)?.[0];
      return privateWord === undefined ? [] : [`${where}: \`${privateWord}\` → ${say}: ${line.trim()}`];
    }),
  );
}

/** The golden files with the diagnostics of fixtures and texts. */
const DIAGNOSTICS = fastGlob.sync(['test/texts/*.txt', 'test/fixtures/invalid/*/want.txt'], { cwd: ROOT });

/** Returns a page without code spans and excerpts of files, which may quote anything. */
function withoutCode(text: string): string {
  return text.replace(/`[^`\n]+`/g, '').replace(/^(?:(?:> |  = |.*│).*|\S+(?=  (?:error|warning)))/gm, '');
}

describe('the words of the field are used in', () => {
  it.each(PAGES)('%s', (page) => {
    expect(privateWords(page, withoutCode(readPage(page)))).toEqual([]);
  });

  it.each(Object.entries(commands))('the help of %s', (name, command) => {
    expect(privateWords(name, commandHelp(name, command.summary, command))).toEqual([]);
  });

  it('the diagnostics', () => {
    expect(DIAGNOSTICS.flatMap((file) => privateWords(file, withoutCode(readPage(file))))).toEqual([]);
    const descriptions = Object.values(catalogue).map((entry) => entry.about);
    expect(privateWords('catalogue', descriptions.join('\n'))).toEqual([]);
  });

  it('the diagnostics, with the singular after the number 1', () => {
    // Ignores ranges in rules, such as `1 to 64 characters`.
    const pluralAfterOne = DIAGNOSTICS.flatMap(
      (file) => withoutCode(readPage(file)).match(/(?<![×\d.,]|\d )1 (?!(?:to|is)\b)(?:more )?[a-z]+s\b.*/g) ?? [],
    );
    expect(pluralAfterOne).toEqual([]);
  });

  it('the public API', () => {
    const comments = readPage('test/golden/api/index.txt').match(/\/\*\*[^]*?\*\//g) ?? [];
    const matches = comments.flatMap((comment) => privateWords('index.d.ts', comment));
    expect(matches).toEqual([]);
  });
});

/** The maximum of each count. Lower a limit whenever its count falls. */
const LIMITS: ReturnType<typeof countWording> = {
  code: {
    '“that of”: repeat the noun': 1,
    '“What …” as a subject: name the thing': 0,
    '“of what”, “by what”: name the thing': 0,
    'private verbs: use the field’s': 6,
    'a sentence without a noun at its start': 5,
    'fillers, such as “at all”: leave out': 1,
    'a sentence of more than 30 words': 0,
    'vague names': 2,
  },
  pages: {
    '“that of”: repeat the noun': 1,
    '“What …” as a subject: name the thing': 0,
    '“of what”, “by what”: name the thing': 0,
    'private verbs: use the field’s': 0,
    'a sentence without a noun at its start': 3,
    'fillers, such as “at all”: leave out': 4,
    'a sentence of more than 30 words': 3,
  },
};

describe('wording that stops readers becomes rarer in', () => {
  const counts = countWording();
  it.each(['code', 'pages'] as const)('%s', (where) => {
    const rules = Object.entries(LIMITS[where]);
    expect(rules.filter(([rule, limit]) => (counts[where][rule] ?? 0) > limit)).toEqual([]);
  });
});

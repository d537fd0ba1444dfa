import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPairs } from '../../../src/users/pairs.ts';
import { NO_THEME, RECORD_WORDS, rowOf } from '../../../src/users/digest-records.ts';
import { RowScanner } from '../../../src/users/row-scanner.ts';
import {
  MAX_DIAGNOSTICS,
  MAX_UNKNOWN,
  type RowForm,
  type Scan,
  type ScanOptions,
  type WrittenRow,
} from '../../../src/users/scan.ts';

const THEMES = ['harbor', 'meadow'];
const SECRET = Buffer.alloc(32, 7);
const CSV: RowForm = { form: 'csv', kind: 'user' };

interface Scanned {
  scan: Scan;
  /** `user ann → meadow` */
  pairs: string[];
  /** `ann 3:1 → 1`, by what the record says. */
  records: string[];
  digests: string[];
}

function scan(text: string | Buffer, form: RowForm = CSV, options: Partial<ScanOptions> = {}, chunk = 0): Scanned {
  return scanning((scanner) => scanner.rows(Buffer.from(text), form), options, chunk);
}

function scanning(run: (scanner: RowScanner) => void, options: Partial<ScanOptions> = {}, chunk = 0): Scanned {
  const words: number[] = [];
  const themes = options.themes ?? THEMES;
  const scanner = new RowScanner(
    { themes, secret: SECRET, foldsCase: false, retainsPairs: true, ...options },
    (...record) => void words.push(...record),
  );
  scanner.begin(chunk);
  run(scanner);
  const scan = scanner.end();
  const all = Uint32Array.from(words);
  const rows = Array.from({ length: all.length / RECORD_WORDS }, (_, at) => rowOf(all, at * RECORD_WORDS));
  return {
    scan,
    pairs: [...readPairs(scan.pairs)].map(({ kind, key, theme }) => `${kind} ${key} → ${themes[theme]}`),
    records: rows.map(
      ({ kind, isFolded, theme, line, column, length, chunk: of }) =>
        `${of} ${kind}${isFolded ? ' folded' : ''} ${line}:${column}+${length} → ${theme === NO_THEME ? 'none' : themes[theme]}`,
    ),
    digests: rows.map((_, at) => Buffer.from(Uint32Array.from(words.slice(6 * at, 6 * at + 3)).buffer).toString('hex')),
  };
}

/** The diagnostics as `code line:column+length`. */
const found = ({ scan: { diagnostics } }: Scanned): string[] =>
  diagnostics.map(({ code, line, column, length }) => `${code} ${line}:${column}+${length}`);

/** The first twelve bytes of a digest, each four as a word of this machine. */
function digest(prefixed: string): string {
  const bytes = createHmac('sha256', SECRET).update(prefixed).digest();
  return Buffer.from(Uint32Array.from([0, 4, 8].map((at) => bytes.readUInt32BE(at))).buffer).toString('hex');
}

describe('plain rows', () => {
  it('become pairs, records and counts', () => {
    const scanned = scan('ann,meadow\nbob,harbor\r\n\neve,meadow', CSV, {}, 3);
    expect(scanned.pairs).toEqual(['user ann → meadow', 'user bob → harbor', 'user eve → meadow']);
    expect(scanned.records).toEqual(['3 user 0:1+3 → meadow', '3 user 1:1+3 → harbor', '3 user 3:1+3 → meadow']);
    expect(scanned.digests).toEqual([digest('u:ann'), digest('u:bob'), digest('u:eve')]);
    const { pairs, ...rest } = scanned.scan;
    expect(rest).toEqual({
      lines: 4,
      counts: { user: [1, 2], group: [0, 0] },
      first: { user: { line: 0, column: 1, length: 3 } },
      diagnostics: [],
      more: 0,
      unknown: [],
      swapped: undefined,
    });
    expect(pairs).toHaveLength(3 * 7);
  });

  it('of groups are groups', () => {
    const { scan: seen, digests, pairs } = scan('ann,meadow\n', { form: 'csv', kind: 'group' });
    expect([seen.counts, pairs, digests]).toEqual([
      { user: [0, 0], group: [0, 1] },
      ['group ann → meadow'],
      [digest('g:ann')],
    ]);
  });

  it('are kept as text only if that is asked for', () => {
    const { pairs, records } = scan('ann,meadow\n', CSV, { retainsPairs: false });
    expect([pairs, records]).toEqual([[], ['0 user 0:1+3 → meadow']]);
  });

  it('are told in small letters too where case does not count', () => {
    const { pairs, records, digests } = scan('AzZ@,meadow\n', CSV, { foldsCase: true });
    expect(pairs).toEqual(['user AzZ@ → meadow']);
    expect(records).toEqual(['0 user 0:1+4 → meadow', '0 user folded 0:1+4 → meadow']);
    expect(digests).toEqual([digest('u:AzZ@'), digest('u:azz@')]);
    expect(scan('azz,meadow\n', CSV, { foldsCase: true }).records).toHaveLength(1);
    expect(scan('AZ,meadow\n', CSV, { foldsCase: true }).digests[1]).toBe(digest('u:az'));
  });

  it('have keys of 128 characters, and no more', () => {
    expect(scan(`${'k'.repeat(128)},meadow`).records).toEqual(['0 user 0:1+128 → meadow']);
    const long = scan(`${'k'.repeat(129)},meadow`);
    expect([long.records, found(long)]).toEqual([[], ['mapping/user-key 0:1+129']]);
    expect(long.scan.diagnostics[0]?.args).toEqual({ reason: 'is 129 characters long, more than 128' });
  });

  it('are not mistaken where two slugs have one hash', () => {
    const themes = collision();
    const rows = themes.map((slug, at) => `u${at},${slug}\n`).join('');
    expect(scan(rows, CSV, { themes }).pairs).toEqual(themes.map((slug, at) => `user u${at} → ${slug}`));
    // A hash alone is no slug either.
    const [one = '', other = ''] = themes;
    const wrong = scan(`ann,${other}\n`, CSV, { themes: [one] });
    expect([wrong.pairs, wrong.scan.unknown.map(({ theme }) => theme)]).toEqual([[], [other]]);
  });

  it('forget the chunk before', () => {
    const scanner = new RowScanner(
      { themes: THEMES, secret: SECRET, foldsCase: false, retainsPairs: true },
      () => undefined,
    );
    scanner.begin(0);
    scanner.rows(Buffer.from('<<<<<<< a\nann,winter\nmeadow,x\n ,\n'), CSV);
    scanner.end();
    scanner.begin(1);
    scanner.rows(Buffer.from('=======\n'), CSV);
    const { pairs, ...rest } = scanner.end();
    expect([pairs.length, rest.lines, rest.unknown, rest.swapped]).toEqual([0, 1, [], undefined]);
    // Without a conflict before it, it is a row like others.
    expect(rest.diagnostics.map(({ code }) => code)).toEqual(['mapping/columns']);
  });
});

describe('other rows', () => {
  it.each([
    ['"ann","meadow"\n', ['0 user 0:2+3 → meadow']],
    ['ann,"meadow"\r\n', ['0 user 0:1+3 → meadow']],
  ])('%j is a row', (text, records) => {
    const scanned = scan(text);
    expect([scanned.records, found(scanned)]).toEqual([records, []]);
  });

  it.each([
    ['ann\n', ['mapping/columns 0:1+3']],
    ['ann,meadow,x\n', ['mapping/columns 0:1+12']],
    ['"ann,meadow\n', ['mapping/quotes 0:1+11']],
    [',meadow\n', ['mapping/empty-key 0:1+0']],
    ['~ann,meadow\n', ['mapping/user-key 0:1+4']],
    ['a b,meadow\n', ['mapping/user-key 0:1+3']],
    ['\n\nann,meadow\rx\n', ['file/character 2:11+1']],
    ['ann,meadow\r\r\n', ['file/character 0:11+1']],
    ['\r\n\r\n', []],
    ['\ufeffann,meadow\n', ['file/character 0:1+1']],
    ['a\u200bb,meadow\n', ['file/character 0:2+1']],
  ])('%j is none', (text, expected) => {
    const scanned = scan(text);
    expect([found(scanned), scanned.records]).toEqual([expected, []]);
  });

  it('says what is wrong with each', () => {
    const args = (text: string | Buffer, form?: RowForm): unknown => scan(text, form).scan.diagnostics[0]?.args;
    expect(args('ann')).toEqual({ found: 1 });
    expect(args('a,b,c')).toEqual({ found: 3 });
    expect(args('~ann,meadow')).toEqual({ reason: 'starts with `~`' });
    expect(args('\ufeffann,meadow')).toEqual({ character: 'U+FEFF' });
    expect(args(Buffer.from('zo\u00eb,meadow', 'latin1'))).toEqual({ csv: true });
    expect(args(Buffer.from('zo\u00eb', 'latin1'), { form: 'keys', kind: 'user', theme: 0 })).toEqual({ csv: false });
  });

  it('a merge conflict is one finding, not five', () => {
    const scanned = scan(
      'a,meadow\n<<<<<<< HEAD\nb,meadow\n||||||| base\nc,meadow\n=======\nd,meadow\n>>>>>>> main\n======\n',
    );
    expect(found(scanned)).toEqual(['file/conflict 1:1+1', 'mapping/columns 8:1+6']);
    expect(scanned.pairs.map((pair) => pair.slice(5, 6))).toEqual(['a', 'b', 'c', 'd']);
    // Without one, such lines are told.
    expect(found(scan('a\u200bb,meadow\n=======\n'))).toEqual(['file/character 0:2+1', 'mapping/columns 1:1+7']);
    expect(found(scan('<<<<<<< a\n========\n>>>>>>>\n x>>>>>>> b\n'))).toEqual([
      'file/conflict 0:1+1',
      'mapping/columns 1:1+8',
      'mapping/columns 2:1+7',
      'mapping/columns 3:1+11',
    ]);
  });

  it('lines of JSON have their place as a whole', () => {
    const scanned = scan('{"user":"ann","theme":"meadow"}\n{"group":"bob","theme":"harbor"}\nann\n', {
      form: 'ndjson',
    });
    expect(scanned.pairs).toEqual(['user ann → meadow', 'group bob → harbor']);
    expect(scanned.records).toEqual(['0 user 0:1+3 → meadow', '0 group 1:1+3 → harbor']);
    expect(found(scanned)).toEqual(['mapping/object 2:1+3']);
    expect(scanned.scan.first).toEqual({
      user: { line: 0, column: 1, length: 3 },
      group: { line: 1, column: 1, length: 3 },
    });
  });

  it('lines of a list are keys, whatever they look like', () => {
    const scanned = scan('ann\r\nbob,meadow\nmeadow\n', { form: 'keys', kind: 'group', theme: 1 });
    expect(scanned.pairs).toEqual(['group ann → meadow', 'group meadow → meadow']);
    expect(found(scanned)).toEqual(['mapping/user-key 1:1+10']);
  });
});

describe('themes that there are not', () => {
  it('are told once each, where they stand first, with how many are given them; their keys are still compared', () => {
    const scanned = scan('a,winter\nb,meadow\n"c",winter\nd,"Winter"\n');
    expect(scanned.scan.unknown).toEqual([
      { theme: 'winter', users: 2, line: 0, column: 3, length: 6 },
      { theme: 'Winter', users: 1, line: 3, column: 4, length: 6 },
    ]);
    expect(scanned.records).toEqual([
      '0 user 0:1+1 → none',
      '0 user 1:1+1 → meadow',
      '0 user 2:2+1 → none',
      '0 user 3:1+1 → none',
    ]);
    expect([scanned.pairs, scanned.scan.counts.user]).toEqual([['user b → meadow'], [0, 1]]);
    expect(scanned.scan.first.user).toEqual({ line: 1, column: 1, length: 1 });
  });

  it('are kept up to a thousand, a hundred characters of each; of what is more the number alone', () => {
    const rows = Array.from({ length: MAX_UNKNOWN + 5 }, (_, at) => `u${at},t${at}\n`).join('');
    const { scan: seen } = scan(`${rows}a,t0\n`);
    expect([seen.unknown.length, seen.unknown[0]?.users, seen.more]).toEqual([MAX_UNKNOWN, 2, 5]);
    expect(scan(`a,${'t'.repeat(101)}\nb,${'t'.repeat(102)}\n`).scan.unknown).toMatchObject([
      { theme: 't'.repeat(100), users: 2, length: 101 },
    ]);
  });

  it('in the place of the key are columns that are swapped, told where they are first', () => {
    const { scan: seen, records } = scan('ann,meadow\nmeadow,bob\n"harbor",eve\nmeadow,harbor\nmeadow,\n');
    expect(seen.swapped).toEqual({ line: 1, column: 1, length: 6, times: 2 });
    expect(seen.unknown).toEqual([{ theme: '', users: 1, line: 4, column: 8, length: 0 }]);
    expect(records).toHaveLength(3); // a user may be called like a theme
  });

  it('and a wrong key beside it are two diagnostics', () => {
    const scanned = scan(' ,winter\n');
    expect([found(scanned), scanned.scan.unknown.length, scanned.records]).toEqual([['mapping/user-key 0:1+1'], 1, []]);
    expect(found(scan(',\n'))).toEqual(['mapping/empty-key 0:1+0']);
  });
});

describe('diagnostics', () => {
  it('are kept up to fifty', () => {
    const { scan: seen } = scan('a b,meadow\n'.repeat(MAX_DIAGNOSTICS + 7));
    expect([seen.diagnostics.length, seen.more, seen.lines]).toEqual([MAX_DIAGNOSTICS, 7, MAX_DIAGNOSTICS + 7]);
  });
});

describe('rows of YAML', () => {
  it('come with places of their own, and themes by name', () => {
    const row = (key: string, theme: string, line: number): WrittenRow => ({
      kind: 'user',
      key,
      theme,
      place: { line, column: 9, length: key.length },
      themePlace: { line, column: 3, length: theme.length },
    });
    const scanned = scanning((scanner) => {
      scanner.add(row('ann', 'meadow', 4));
      scanner.add(row('bob', 'winter', 5));
    });
    expect(scanned.records).toEqual(['0 user 4:9+3 → meadow', '0 user 5:9+3 → none']);
    expect(scanned.scan.unknown).toEqual([{ theme: 'winter', users: 1, line: 5, column: 3, length: 6 }]);
    expect(scanned.scan.first.user).toEqual({ line: 4, column: 9, length: 3 });
  });
});

/** Two slugs of one hash: 31 times a character and the next. */
function collision(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-'.split('');
  const seen = new Map<number, string>();
  for (const a of letters)
    for (const b of letters) {
      const slug = `x${a}${b}x`;
      const hash = 31 * a.charCodeAt(0) + b.charCodeAt(0);
      const other = seen.get(hash);
      if (other !== undefined) return [other, slug];
      seen.set(hash, slug);
    }
  throw new Error('There is one.');
}

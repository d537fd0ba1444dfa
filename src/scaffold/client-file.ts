import { createHash } from 'node:crypto';

/** What the file that `themecast client` writes is made of. */
export interface ClientSources {
  /** `src/client/types.ts` and `src/client/client.ts`. */
  types: string;
  client: string;
  licence: string;
  version: string;
}

const MARK = '// Written by `themecast client`';
const HEAD = /^\/\/ Written by `themecast client`[^\n]*\n\/\/ sha256 of all that follows: ([0-9a-f]{64})\n/;

/** Types and client as one file without imports. Its head has a digest, by which later runs know whether it was edited. */
export function clientFile({ types, client, licence, version }: ClientSources): string {
  const code = client.replaceAll(/^(?:import|export) type .* from '\.\/types\.ts';\n+/gm, '');
  const body = `/* eslint-disable */\n\n/*\n${licence.trim()}\n*/\n\n${types}\n${code}`;
  const command = `npx themecast@${version} client --out FILE`;
  const head = `${MARK}, version ${version}. Changes are overwritten: run \`${command}\` instead.`;
  return `${head}\n// sha256 of all that follows: ${digestOf(body)}\n${body}`;
}

/** Why a file is not the one that would be written now. The version alone does not count. */
export type ClientFileProblem = 'missing' | 'foreign' | 'edited' | 'outdated';

/** @param found - the text of the file, if there is one; Git may have changed its line ends */
export function clientFileProblem(found: string | undefined, wanted: string): ClientFileProblem | undefined {
  if (found === undefined) return 'missing';
  const text = found.replaceAll('\r\n', '\n');
  const [head = '', digest] = HEAD.exec(text) ?? [];
  if (digest === undefined) return text.startsWith(MARK) ? 'edited' : 'foreign';
  if (digestOf(text.slice(head.length)) !== digest) return 'edited';
  return digest === HEAD.exec(wanted)?.[1] ? undefined : 'outdated';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AcceptedDifference, readAccepted } from '../old/accept.ts';
import { type SampledUser, sampledUser } from '../old/requesters.ts';
import { printable, quote } from '../../../core/diagnostics/quote.ts';
import { parsePlainYaml, plainYamlPlace } from '../../../core/source/plain-yaml.ts';
import { splitRow } from '../../../core/users/csv.ts';
import { systemReason } from '../../../system/disk/files.ts';
import { UsageError } from '../../../system/command-line/command.ts';

const MAX_ACCEPT_BYTES = 1024 * 1024;

export async function readAcceptFile(file: string): Promise<AcceptedDifference[]> {
  const bytes = await readFile(file).catch((error: unknown) => unreadable(file, error));
  const text = bytes.length > MAX_ACCEPT_BYTES ? '' : bytes.toString('utf8');
  const data = parsePlainYaml(text);
  const entries = readAccepted(data);
  if (Array.isArray(entries)) return entries;
  const { line, error } = plainYamlPlace(text, entries ?? 0);
  if (error !== undefined)
    throw new UsageError(`${quote(file)}, line ${line}: it is not valid YAML. ${printable(error)}.`);
  const at = entries === undefined ? '' : `, line ${line}`;
  throw new UsageError(
    `${quote(file)}${at}: it must be a YAML list of entries with \`what\` and \`reason\`, both text, and nothing else.`,
  );
}

/** Reads a sample of the users in a CSV file, except users with an invalid key: no mapping contains them. */
export async function readSample(file: string, size: number): Promise<SampledUser[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => unreadable(file, error));
  const [names = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => splitRow(line)?.map((cell) => cell.text) ?? []);
  const columns = names.map((cell) => cell.trim());
  if (!columns.includes('user'))
    throw new UsageError(`${quote(file)} must start with the names of its columns, one of them \`user\`.`);
  const users = rows.flatMap((cells, at) => sampledUser(at + 2, columns, cells) ?? []);
  if (users.length === 0) throw new UsageError(`${quote(file)} contains no user.`);
  return sampleOf(users, size);
}

/** Returns a deterministic sample, spread evenly: users of a theme often follow each other. */
export function sampleOf<T>(all: readonly T[], size: number): T[] {
  if (all.length <= size) return [...all];
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as T);
}

function unreadable(file: string, error: unknown): never {
  throw new UsageError(`${quote(path.normalize(file))} cannot be read: ${systemReason(error)}.`);
}

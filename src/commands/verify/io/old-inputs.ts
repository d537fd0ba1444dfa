import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type AcceptedDifference, readAccepted } from '../old/accept.ts';
import { isHeader, type SampledUser, sampledUser } from '../old/requesters.ts';
import { printable, quote } from '../../../core/diagnostics/quote.ts';
import { parsePlainYaml, plainYamlPlace } from '../../../core/source/plain-yaml.ts';
import { splitRow } from '../../../core/users/csv.ts';
import { keyProblem } from '../../../core/users/key.ts';
import { systemReason } from '../../../system/disk/files.ts';
import { UsageError } from '../../../system/command-line/command.ts';

const MAX_ACCEPT_BYTES = 1024 * 1024;
/** Limits the users in memory; the sample is chosen from them. */
const MAX_USERS = 1_000_000;

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
  const users: SampledUser[] = [];
  let names: string[] | undefined;
  let line = 0;
  for await (const text of linesOf(file)) {
    line++;
    const cells = splitRow(line === 1 ? text.replace(/^\ufeff/, '') : text)?.map((cell) => cell.text) ?? [];
    if (names === undefined) {
      names = cells.map((cell) => cell.trim());
      if (!names.includes('user'))
        throw new UsageError(`${quote(file)} must start with the names of its columns, one of them \`user\`.`);
      continue;
    }
    const user = sampledUser(line, names, cells);
    const isSent = Object.entries(user?.headers ?? {}).every(([name, value]) => isHeader(name, value));
    const isUsable = user !== undefined && isSent && keyProblem(user.key) === undefined;
    if (isUsable && users.length < MAX_USERS) users.push(user);
  }
  if (users.length === 0) throw new UsageError(`${quote(file)} contains no user.`);
  return sampleOf(users, size);
}

/** Returns a deterministic sample, spread evenly: users of a theme often follow each other. */
export function sampleOf<T>(all: readonly T[], size: number): T[] {
  if (all.length <= size) return [...all];
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as T);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, { encoding: 'utf8' });
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } catch (error) {
    unreadable(file, error);
  } finally {
    input.destroy();
  }
}

function unreadable(file: string, error: unknown): never {
  throw new UsageError(`${quote(path.normalize(file))} cannot be read: ${systemReason(error)}.`);
}

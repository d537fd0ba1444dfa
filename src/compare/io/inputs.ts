import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { readAccepted } from '../accept.ts';
import type { AcceptedDifference } from '../result.ts';
import { type LoggedRequest, type LogOptions, readLogLine, sampleOf } from '../access-log.ts';
import { isHeader, type SampledUser, sampledUser, UserSample } from '../requesters.ts';
import { printable, quote } from '../../diagnostics/quote.ts';
import { parsePlainYaml, plainYamlPlace } from '../../source/plain-yaml.ts';
import { splitRow } from '../../users/csv.ts';
import { keyProblem } from '../../users/key.ts';
import { systemReason } from '../../io/disk/files.ts';
import { CompareError } from './compare-error.ts';

const MAX_ACCEPT_BYTES = 1024 * 1024;
/** Requests of a log of which a sample is taken. */
const MAX_LOGGED = 1_000_000;

/** Reads the known differences. */
export async function readAcceptFile(file: string): Promise<AcceptedDifference[]> {
  const bytes = await readFile(file).catch((error: unknown) => unreadable(file, error));
  const text = bytes.length > MAX_ACCEPT_BYTES ? '' : bytes.toString('utf8');
  const data = parsePlainYaml(text);
  const entries = readAccepted(data);
  if (Array.isArray(entries)) return entries;
  const { line, error } = plainYamlPlace(text, entries ?? 0);
  if (error !== undefined)
    throw new CompareError(`${quote(file)}, line ${line}: it is not valid YAML. ${printable(error)}.`);
  const at = entries === undefined ? '' : `, line ${line}`;
  throw new CompareError(
    `${quote(file)}${at}: it must be a YAML list of entries with \`what\` and \`reason\`, both text, and nothing else.`,
  );
}

/** A sample of the users of a file, CSV or NDJSON. */
export async function readSample(file: string, size: number): Promise<SampledUser[]> {
  const sample = new UserSample(size);
  let names: string[] | undefined;
  let line = 0;
  for await (const text of linesOf(file)) {
    line++;
    if (text.trim() === '') continue;
    if (text.startsWith('{')) addObject(sample, line, text);
    else if (names === undefined) {
      names = (splitRow(text.replace(/^\ufeff/, '')) ?? []).map((cell) => cell.text.trim());
      if (!names.includes('user'))
        throw new CompareError(`${quote(file)} must start with the names of its columns, one of them \`user\`.`);
    } else {
      const cells = splitRow(text)?.map((cell) => cell.text) ?? [];
      addUser(sample, sampledUser(line, names, cells));
    }
  }
  if (sample.users.length === 0) throw new CompareError(`${quote(file)} names no user.`);
  return sample.users;
}

function addObject(sample: UserSample, line: number, text: string): void {
  let entry: unknown;
  try {
    entry = JSON.parse(text) as unknown;
  } catch {
    return;
  }
  const fields = Object.entries(entry ?? {}).filter((field): field is [string, string] => typeof field[1] === 'string');
  addUser(
    sample,
    sampledUser(
      line,
      fields.map(([name]) => name),
      fields.map(([, value]) => value),
    ),
  );
}

/** Leaves out what the checks of users files refuse: it is in no mapping. */
function addUser(sample: UserSample, user: SampledUser | undefined): void {
  if (user === undefined || keyProblem(user.key) !== undefined) return;
  if (Object.entries(user.headers ?? {}).every(([name, value]) => isHeader(name, value))) sample.add(user);
}

/** A sample of the requests of an access log. */
export async function readAccessLog(file: string, size: number, options: LogOptions): Promise<LoggedRequest[]> {
  const requests: LoggedRequest[] = [];
  let line = 0;
  for await (const text of linesOf(file)) {
    line++;
    const request = text.length > 100_000 ? undefined : readLogLine(text, line, options);
    if (request !== undefined && requests.length < MAX_LOGGED) requests.push(request);
  }
  return sampleOf(requests, size);
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
  throw new CompareError(`${quote(path.normalize(file))} cannot be read: ${systemReason(error)}.`);
}

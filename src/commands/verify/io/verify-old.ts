import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readRules } from '../../../compiler/serve/read-build.ts';
import { progressLine } from '../../../compiler/report.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { rateOf } from '../../../system/command-line/flags.ts';
import { hostnameFlag } from '../../../system/command-line/keys.ts';
import { serviceUrlOf } from '../../../system/command-line/service-url.ts';
import { systemReason } from '../../../system/disk/files.ts';
import type { VerifyFlags } from '../command.ts';
import { accept, readAccepted } from '../old/accept.ts';
import { type OldRequester, requestersOf } from '../old/requesters.ts';
import type { Subject } from '../report.ts';
import { mergeResults, type Verification } from '../result.ts';
import { compareServices, openNew, Service } from './old.ts';
import { secret } from './verify.ts';

/** Requests per second to each service, unless --rate is given: an old service may be slow. */
const DEFAULT_RATE = '10';

/** Compares the old service with the new one, or with the last build. @param argument - the URL of the new one, if any */
export async function verifyOld(
  values: VerifyFlags,
  oldText: string,
  argument: string,
): Promise<{ subject: Subject; result: Verification }> {
  const old = serviceUrlOf(oldText);
  const url = argument === '' ? undefined : serviceUrlOf(argument);
  if (old === url)
    throw new UsageError(
      `--old is the URL itself, ${old}. Name two services, or leave URL out to compare with a build.`,
    );
  const accepted = values.accept === undefined ? [] : valid(values.accept, readAccepted(await readText(values.accept)));
  const options = { rate: rateOf(values.rate ?? DEFAULT_RATE) };
  const hostnames = values.hostname.map(hostnameFlag);
  const everyRequest = givenHeaders(values['every-request'], secret, '--every-request');
  const ofOld = givenHeaders(values['old-header'], secret, '--old-header');
  const rules = await readRules(values['edge-out']);
  const requesters = await readSample(values.sample, rules);
  const oldService = new Service('OLD', old, { ...options, everyRequest: ofOld });
  const place = { out: values.out, edge: values['edge-out'] };
  const { service, server } = await openNew(url, place, rules, { ...options, everyRequest });
  const progress = progressLine(values.quiet || values.format === 'json');
  try {
    const { results, notes } = await compareServices({
      old: oldService,
      new: service,
      rules,
      requesters,
      hostnames,
      onProgress: progress.show,
    });
    const checks = mergeResults(accept(results, accepted));
    return { subject: { old, url: url ?? values.out }, result: { checks, notes } };
  } finally {
    progress.clear();
    oldService.close();
    service.close();
    server?.closeAllConnections();
    server?.close();
  }
}

/** Returns the users of --sample. */
async function readSample(text: string | undefined, { identity }: EdgeRules): Promise<OldRequester[]> {
  if (text === undefined) return [];
  const [, file = '', size = ''] = /^(.+):(\d{1,6})$/.exec(text) ?? [];
  if (file === '' || Number(size) === 0)
    throw new UsageError(`--sample must be FILE:N, such as themes/users.csv:50, not \`${text}\`.`);
  return valid(file, requestersOf(await readText(file), path.basename(file), Number(size), identity, secret));
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${quote(path.normalize(file))} cannot be read: ${systemReason(error)}.`);
  });
}

/** Returns what was read of a file. @throws {UsageError} if that is a problem */
function valid<T>(file: string, read: T | string): T {
  if (typeof read !== 'string') return read;
  throw new UsageError(`${quote(file)}: ${read}`);
}

import path from 'node:path';
import { showsColours } from '../../../system/command-line/colours.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { givenHeaders } from '../../../system/command-line/credentials.ts';
import { rateOf } from '../../../system/command-line/flags.ts';
import { hostnameFlag } from '../../../system/command-line/keys.ts';
import { serviceUrlOf } from '../../../system/command-line/service-url.ts';
import { readRules } from '../../../compiler/serve/read-build.ts';
import { progressLine } from '../../../compiler/report.ts';
import type { IdentityRule } from '../../../core/edge-runtime/rules.ts';
import type { VerifyFlags } from '../command.ts';
import { formatComparison, formatComparisonJson } from '../old/format.ts';
import { type OldRequester, requesterOf } from '../old/requesters.ts';
import { accept, openDifferences } from '../old/result.ts';
import { compareServices } from './old.ts';
import { readAcceptFile, readSample } from './old-inputs.ts';
import { openNew, openOld, type Service } from './old-service.ts';

/** Requests per second to each service, unless --rate is given: an old service may be slow. */
const DEFAULT_RATE = '10';

const secret = (name: string): string | undefined => process.env[name] || undefined;

/** Compares the old service with the new one, or with the last build, and prints the differences. @returns 0 if all are accepted */
export async function compareWithOld(values: VerifyFlags, old: string, argument: string | undefined): Promise<number> {
  const oldUrl = serviceUrlOf(old);
  const newUrl = argument === undefined ? undefined : serviceUrlOf(argument);
  if (oldUrl === newUrl)
    throw new UsageError(
      `--old is the URL itself, ${oldUrl}. Name two services, or leave URL out to compare with a build.`,
    );
  const accepted = values.accept === undefined ? [] : await readAcceptFile(values.accept);
  const options = { rate: rateOf(values.rate ?? DEFAULT_RATE), mediaHosts: values['media-host'] };
  const origins = values.origin.map(originOf);
  const everyRequest = givenHeaders(values['every-request'], secret, '--every-request');
  const oldHeaders = givenHeaders(values['old-header'], secret, '--old-header');
  const progress = progressLine(values.quiet || values.format === 'json');
  const opened: Service[] = [];
  try {
    // Without URL, OLD is the only service with an origin.
    const ofOld = newUrl === undefined && everyRequest !== undefined ? { ...everyRequest, ...oldHeaders } : oldHeaders;
    const oldService = openOld(oldUrl, { ...options, everyRequest: ofOld });
    opened.push(oldService);
    const place = { out: values.out, edge: values['edge-out'] };
    const newService = await openNew(newUrl, place, {
      ...options,
      everyRequest: newUrl === undefined ? undefined : everyRequest,
    });
    opened.push(newService);
    const services = await compareServices({
      old: oldService,
      new: newService,
      requesters: await requestersOf(values),
      hostnames: values.hostname.map(hostnameFlag),
      origins: [...new Set([...origins, ...(newService.options.rules?.corsOrigins ?? [])])],
      onProgress: progress.show,
    });
    progress.clear();
    const comparison = { ...services, compared: accept(services.compared, accepted) };
    const [oldLabel = '', newLabel = ''] = opened.map(({ options: { url, label = url } }) => label);
    const urls = { old: oldLabel, new: newLabel };
    process.stdout.write(
      values.format === 'json'
        ? formatComparisonJson(comparison, urls)
        : formatComparison(comparison, { colour: showsColours(), quiet: values.quiet, urls }),
    );
    return openDifferences(comparison).length === 0 ? 0 : 1;
  } finally {
    progress.clear();
    for (const service of opened) await service.close();
  }
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new UsageError(`--origin must be an origin, such as https://app.example.org, not \`${text}\`.`);
}

/** Returns the users of --sample. */
async function requestersOf(values: VerifyFlags): Promise<OldRequester[]> {
  if (values.sample === undefined) return [];
  const all = await sampleOf(values.sample, (await readRules(values['edge-out'])).identity);
  const requesters = all.filter((requester) => requester !== undefined);
  if (requesters.length < all.length)
    throw new UsageError(
      'No client can send the key of a user by the identity rules of this site. Leave out `--sample`.',
    );
  return requesters;
}

async function sampleOf(text: string, identity: readonly IdentityRule[]): Promise<(OldRequester | undefined)[]> {
  const [, file = '', size = ''] = /^(.+):(\d{1,6})$/.exec(text) ?? [];
  if (file === '' || Number(size) === 0)
    throw new UsageError(`--sample must be FILE:N, such as themes/users.csv:50, not \`${text}\`.`);
  const users = await readSample(file, Number(size));
  const name = path.basename(file);
  return users.map(({ line, key, headers }) => requesterOf(`user ${name}:${line}`, key, headers, identity, secret));
}

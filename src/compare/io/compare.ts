import path from 'node:path';
import { progressLine } from '../../compiler/report.ts';
import { showsColours } from '../../command-line/colours.ts';
import { UsageError } from '../../command-line/command.ts';
import { rateOf } from '../../command-line/flags.ts';
import { givenHeaders } from '../../command-line/credentials.ts';
import { serviceUrlOf } from '../../command-line/service-url.ts';
import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { readRules } from '../../compiler/read-build.ts';
import type { CompareFlags } from './flags.ts';
import { formatComparison, formatComparisonJson } from '../format.ts';
import type { Requester } from '../../probe/table.ts';
import { requesterOf } from '../requesters.ts';
import { accept, openDifferences } from '../result.ts';
import { readAcceptFile, readSample } from './inputs.ts';
import { compareServices } from './run.ts';
import { openNew, openOld, type Service } from './service.ts';

/** Compares two services and prints the differences. @returns 0 if all differences are accepted */
export async function compare(values: CompareFlags, argument: string, second: string | undefined): Promise<number> {
  const oldUrl = serviceUrlOf(argument);
  const newUrl = second === undefined ? undefined : serviceUrlOf(second);
  if (oldUrl === newUrl)
    throw new UsageError(
      `OLD and NEW are the same service, ${oldUrl}. Name two, or leave NEW out to compare with a build.`,
    );
  const accepted = values.accept === undefined ? [] : await readAcceptFile(values.accept);
  const options = { rate: rateOf(values.rate), mediaHosts: values['media-host'] };
  const origins = values.origin.map(originOf);
  const listHeaders = givenHeaders(values['list-header'], secret, '--list-header');
  const progress = progressLine(values.quiet || values.format === 'json');
  const opened: Service[] = [];
  try {
    const old = await openOld(oldUrl, options, listHeaders);
    opened.push(old);
    const now = await openNew(newUrl, { out: values.out, edge: values['edge-out'] }, options);
    opened.push(now);
    const services = await compareServices({
      old,
      new: now,
      requesters: await requestersOf(values),
      origins: [...new Set([...origins, ...(now.options.rules?.corsOrigins ?? [])])],
      onProgress: progress.show,
    });
    progress.clear();
    const comparison = { ...services, compared: accept(services.compared, accepted) };
    const [oldLabel = '', newLabel = ''] = [old, now].map(({ options: { url, label = url } }) => label);
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

const secret = (name: string): string | undefined => process.env[name];

/** Returns the owner of the credentials in --header, and the users of --sample. */
async function requestersOf(values: CompareFlags): Promise<Requester[]> {
  const headers = givenHeaders(values.header, secret);
  const requester = headers === undefined ? [] : [{ name: 'given credentials', headers }];
  if (values.sample === undefined) return requester;
  const all = [...requester, ...(await sampleOf(values.sample, (await readRules(values['edge-out'])).identity))];
  if (all.includes(undefined))
    throw new UsageError(
      'No client can send the key of a user by the identity rules of this site: pass the credentials of a user with --header.',
    );
  return all.filter((requester) => requester !== undefined);
}

async function sampleOf(text: string, identity: readonly IdentityRule[]): Promise<(Requester | undefined)[]> {
  const [, file = '', size = ''] = /^(.+):(\d{1,6})$/.exec(text) ?? [];
  if (file === '' || Number(size) === 0)
    throw new UsageError(`--sample must be FILE:N, such as themes/users.csv:50, not \`${text}\`.`);
  const users = await readSample(file, Number(size));
  const name = path.basename(file);
  return users.map(({ line, key, headers }) => requesterOf(`user ${name}:${line}`, key, headers, identity, secret));
}

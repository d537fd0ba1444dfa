import path from 'node:path';
import type { EdgeRules } from '../../hosts/contract.ts';
import type { Place } from './open-side.ts';
import { readRules } from '../../io/output/built.ts';
import { shellWord } from '../../io/invocation.ts';
import { UsageError } from '../../command-line/command.ts';
import { FLAGS } from '../../command-line/flags.ts';
import { hostLike, serviceUrlOf } from '../../command-line/service-url.ts';
import { defaultFolders } from '../../command-line/site-root.ts';

/** The two services of a comparison, and what may be wrong with how they were named. */
export interface Places {
  old: Place;
  new: Place;
  warnings: string[];
}

/** The outputs of the build that is known here. */
interface Own {
  out: string;
  edge: string;
}

/**
 * The services that were named. Without a second one, NEW is the own build.
 * @throws {UsageError}
 */
export async function placesOf(first: string, second: string | undefined, own: Own): Promise<Places> {
  checkPair(own);
  const [old, now] = [placeOf(first, own), placeOf(second ?? own.out, own)];
  const warnings: string[] = [];
  if ('url' in now) {
    if ('url' in old && old.url === now.url)
      throw new UsageError(
        `OLD and NEW are the same service, ${old.url}. Name two, or leave NEW out to compare with a build.`,
      );
    if ('out' in old) warnings.push('OLD is a build and NEW a service: did you mean the other order?');
    // A build that is deployed for a rehearsal names its images at its public address.
    return { old, new: { ...now, rules: await rulesOf(own.edge) }, warnings };
  }
  return { old, new: now, warnings };
}

/** The rules of the own build; nothing if there is none. */
async function rulesOf(edge: string): Promise<EdgeRules | undefined> {
  return readRules(edge).catch(() => undefined);
}

/** Outputs of two builds must not be mixed. */
function checkPair({ out, edge }: Own): void {
  const { 'edge-out': usual = '' } = defaultFolders({ 'edge-out': FLAGS['edge-out'] }, {});
  const beside = path.join(path.dirname(out), FLAGS['edge-out'].default);
  if (edge === usual && path.resolve(beside) !== path.resolve(edge))
    throw new UsageError(`--out ${out} is a build of another place. Add \`--edge-out ${shellWord(beside)}\`.`);
}

/** A URL, or the outputs of a build: the private one beside the public one, if that is not the site's own. */
function placeOf(where: string, own: Own): Place {
  if (/^https?:/i.test(where)) return { url: serviceUrlOf(where) };
  const meant = hostLike(where);
  if (meant !== undefined) throw new UsageError(`There is no folder \`${where}\`. Did you mean \`${meant}\`?`);
  const isOwn = path.resolve(where) === path.resolve(own.out);
  return { out: where, edge: isOwn ? own.edge : path.join(path.dirname(path.resolve(where)), 'edge') };
}

import { recordOf, unusable } from '../probes.ts';
import { type AnyRecord, compareConfigs, type ComparedLists, idOf, themeName } from '../records.ts';
import type { Requester } from '../requesters.ts';
import { type Compared, differs, same } from '../result.ts';
import { CONFIG } from '../../document/endpoint.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import type { LiveList } from './live-list.ts';
import { completeResponse, type Sides } from './side.ts';

/** How CONFIG compares for a user, and the theme that OLD gives. */
export interface ComparedUser {
  compared: Compared;
  theme: string | undefined;
}

/** CONFIG as one user. */
export async function compareRequester(
  { what, old, new: now }: Requester,
  sides: Sides,
  pairs: ComparedLists['pairs'],
): Promise<ComparedUser> {
  const json = { Accept: 'application/json' };
  const [one, other] = await Promise.all([
    sides.old.ask('GET', CONFIG.path, { ...json, ...old }),
    sides.new.ask('GET', CONFIG.path, { ...json, ...now }),
  ]);
  const [before, after] = [completeResponse(one), completeResponse(other)];
  if (typeof before === 'string' || typeof after === 'string')
    return { compared: unusable('users', what, before, after), theme: undefined };
  const [theme, record] = [before, after].map((response) => (response.status === 200 ? recordOf(response) : undefined));
  const found =
    theme !== undefined && record !== undefined
      ? compareConfigs(theme, record, pairs)
      : { old: nameOf(before, theme), new: nameOf(after, record) };
  const isSame = found === undefined || (before.status === after.status && before.status !== 200);
  return {
    compared: isSame ? same('users', what) : differs('users', what, found.old, found.new),
    theme: theme && idOf(theme),
  };
}

function nameOf({ status }: HttpResponse, record: AnyRecord | undefined): string {
  if (record !== undefined) return themeName(record);
  return status === 200 ? 'no theme' : `status ${status}`;
}

/** Users whose credentials OLD does not accept prove nothing, even if NEW gives them the same theme. */
export function unknownUsersNote(users: readonly ComparedUser[], { records }: LiveList): string | undefined {
  const fallback = records.find((one): one is AnyRecord => (one as AnyRecord | null)?.['is_default'] === true);
  const isUnknown = users.length > 0 && users.every(({ theme }) => fallback !== undefined && theme === idOf(fallback));
  return isUnknown
    ? 'OLD gave every user its default theme. Check that it accepts their credentials, or that the users have others.'
    : undefined;
}

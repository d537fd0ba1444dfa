import { corsProbes } from '../cors.ts';
import { PROBES } from '../probes.ts';
import { compareLists, isImagePair } from '../records.ts';
import type { Requester } from '../requesters.ts';
import { type Comparison, compareTexts } from '../result.ts';
import { compact } from '../../diagnostics/compact.ts';
import { printable } from '../../diagnostics/quote.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import { acquireDecoders } from '../../io/decoder/shared.ts';
import { compareImages } from './compare-images.ts';
import { type LiveList, readLiveList } from './live-list.ts';
import { compareProbes, CONCURRENCY, type Known } from './responses.ts';
import type { Sides } from './side.ts';
import { compareRequester, unknownUsersNote } from './users.ts';

export interface CompareOptions extends Sides {
  requesters: readonly Requester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  onProgress: (done: number, all: number) => void;
}

/** Asks both services for everything, and compares what they return. */
export async function compareServices(options: CompareOptions): Promise<Comparison> {
  const lists = { old: await readLiveList(options.old), new: await readLiveList(options.new) };
  const { rows, pairs } = compareLists(lists.old.records, lists.new.records);
  const known: Known = { ...lists, pairs };
  const images = rows.filter(isImagePair);
  const { decoders, release } = acquireDecoders();
  try {
    const users = await mapConcurrently(options.requesters, CONCURRENCY, (requester) =>
      compareRequester(requester, options, pairs),
    );
    const compared = await compareImages(images, options, decoders);
    const byPair = new Map(images.map((pair, at) => [pair, compared[at]]));
    const form = compareTexts('responses', 'LIST form', lists.old.form, lists.new.form);
    const probed = [form, ...(await compareProbes([...PROBES, ...corsProbes(options.origins)], options, known))];
    return {
      themes: pairs.size,
      compared: [
        ...rows.flatMap((row) => (isImagePair(row) ? (byPair.get(row) ?? []) : [row])),
        ...probed,
        ...users.map(({ compared: one }) => one),
      ],
      notes: compact([unknownUsersNote(users, lists.old), ...notesOf(lists, options)]),
    };
  } finally {
    release();
  }
}

function notesOf(lists: { old: LiveList; new: LiveList }, { requesters, origins }: CompareOptions): string[] {
  const [before, after] = [lists.old, lists.new].map(({ cacheControl }) => printable(cacheControl ?? 'none'));
  return [
    'POST and PUT are never sent: compare asks for what clients read.',
    ...(before === after ? [] : [`Cache-Control of LIST: ${before} → ${after}.`]),
    ...(requesters.length > 0 ? [] : ['No user was compared: add `--sample FILE:N`.']),
    ...(origins.length > 0 ? [] : ['No origin of a front end was compared: add `--origin https://app.example.org`.']),
  ];
}

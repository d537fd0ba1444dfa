import { compact } from '../../diagnostics/compact.ts';
import { LIST } from '../../document/endpoint.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import { mapConcurrently } from '../../disk/concurrency.ts';
import { acquireDecoders } from '../../decoder/shared.ts';
import type { Rendering } from '../../edge-runtime/rules.ts';
import {
  conditionalProbe,
  endpointProbes,
  type Probe,
  type Requester,
  type Service as Table,
  table,
} from '../../probe/table.ts';
import { type AnyRecord, compareLists, idOf, isImagePair } from '../records.ts';
import { ANY_ORIGIN, compareRow, completeResponse, recordOf } from '../responses.ts';
import { type CompareResult, type Comparison, compareTexts } from '../result.ts';
import { compareImages } from './compare-images.ts';
import { CONCURRENCY, readLiveList, type Services } from './service.ts';

export interface CompareOptions extends Services {
  requesters: readonly Requester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  onProgress: (done: number, all: number) => void;
}

/** Limits the requesters of every rendering; the others request only the JSON. */
const MAX_COMPLETE_REQUESTERS = 3;

/** The renderings to compare if NEW is no build. */
const RENDERINGS: readonly Rendering[] = [
  { name: 'json', format: 'json', mediaType: 'application/json', file: '' },
  { name: 'html', format: 'api', mediaType: 'text/html', file: '' },
];

/** Sends all probes to both services, and compares the responses. */
export async function compareServices(options: CompareOptions): Promise<Comparison> {
  const { requesters, origins, onProgress } = options;
  const lists = { old: await readLiveList(options.old), new: await readLiveList(options.new) };
  const { rows, pairs } = compareLists(lists.old.records, lists.new.records);
  const liveLists = { old: lists.old.plain, new: lists.new.plain, pairs, hasUsers: requesters.length > 0 };
  const images = rows.filter(isImagePair);
  const { decoders, release } = acquireDecoders();
  try {
    const probes = table(tableOf(options, lists.old.records));
    const results = await mapConcurrently(probes, CONCURRENCY, async (probe) => {
      const [old, now] = await Promise.all([options.old.ask(probe), options.new.ask(probe)]);
      return { probe, old: completeResponse(old), compared: compareRow(probe, old, now, liveLists) };
    });
    const compared = await compareImages(images, { ...options, onProgress }, decoders);
    const byPair = new Map(images.map((pair, at) => [pair, compared[at]]));
    const { form } = lists.old;
    return {
      themes: pairs.size,
      compared: [
        ...rows.flatMap((row) => (isImagePair(row) ? (byPair.get(row) ?? []) : [row])),
        compareTexts('responses', 'LIST form', form, lists.new.form),
        ...results.flatMap((result) => result.compared),
        ...(await compareConditional(options)),
      ],
      notes: compact([
        unknownUsersNote(results, lists.old.records),
        'POST and PUT are never sent: compare only reads.',
        requesters.length === 0 && 'No user was compared: add `--sample FILE:N`.',
        origins.length === 0 && 'No origin of a front end was compared: add `--origin https://app.example.org`.',
      ]),
    };
  } finally {
    release();
  }
}

function tableOf({ requesters, origins, new: { options } }: CompareOptions, records: readonly unknown[]): Table {
  const theme = records.find((record): record is AnyRecord => typeof record === 'object' && record !== null);
  const { endpoints, corsHeaders = [] } = options.rules ?? {};
  return {
    renderings: {
      list: endpoints?.list.renderings ?? RENDERINGS,
      config: endpoints?.config.renderings ?? RENDERINGS,
    },
    requesters,
    complete: MAX_COMPLETE_REQUESTERS,
    origins: [{ name: 'any origin', origin: ANY_ORIGIN }, ...origins.map((origin) => ({ name: origin, origin }))],
    requestHeaders: [...new Set(['authorization', ...corsHeaders.map((name) => name.toLowerCase())])],
    theme: theme && { id: theme['id'], name: theme['name'] },
  };
}

/** Requests each endpoint again with the ETag of its response, and compares the statuses. */
async function compareConditional(services: Services): Promise<CompareResult[]> {
  const plain = (['list', 'config'] as const).flatMap((kind) =>
    endpointProbes(kind, { renderings: { list: RENDERINGS, config: RENDERINGS } }).slice(0, 1),
  );
  const results = plain.map(async (probe) => {
    const statuses = await Promise.all(
      [services.old, services.new].map(async (service) => {
        const { etag } = { etag: undefined, ...headersOf(await service.ask(probe)) };
        const again = etag === undefined ? {} : await service.ask(conditionalProbe(probe, 'If-None-Match', etag));
        return 'status' in again ? String(again.status) : undefined;
      }),
    );
    const [old, now] = statuses;
    // A missing ETag is reported elsewhere.
    return old === undefined || now === undefined
      ? []
      : [compareTexts('responses', `${probe.what} If-None-Match status`, old, now)];
  });
  return (await Promise.all(results)).flat();
}

function headersOf(outcome: object): HttpResponse['headers'] {
  return 'headers' in outcome ? (outcome as HttpResponse).headers : {};
}

/** Warns if OLD knows no user of the sample: equal themes then prove nothing, because all are the default theme. */
function unknownUsersNote(
  results: readonly { probe: Probe; old: HttpResponse | string }[],
  records: readonly unknown[],
): string | false {
  const isDefault = (record: unknown): record is AnyRecord => (record as AnyRecord | null)?.['is_default'] === true;
  const fallback = records.find(isDefault);
  const users = results.filter(({ probe }) => probe.requester !== undefined && probe.path !== LIST.path);
  const isUnknown = ({ old }: { old: HttpResponse | string }): boolean => {
    const record = typeof old === 'string' || old.status !== 200 ? undefined : recordOf(old);
    return record !== undefined && fallback !== undefined && idOf(record) === idOf(fallback);
  };
  const json = users.filter(({ probe }) => probe.returns === 'json');
  return (
    json.length > 0 &&
    json.every(isUnknown) &&
    'OLD gave every user its default theme. Check that it accepts their credentials, or that the users have others.'
  );
}

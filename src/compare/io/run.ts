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
import { type Compared, type Comparison, compareTexts } from '../result.ts';
import { compareImages } from './compare-images.ts';
import { CONCURRENCY, readLiveList, type Services } from './service.ts';

export interface CompareOptions extends Services {
  requesters: readonly Requester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  onProgress: (done: number, all: number) => void;
}

/** Requesters who ask for every rendering. */
const COMPLETE = 3;

/** Renderings of the interface, where no build says more. */
const RENDERINGS: readonly Rendering[] = [
  { name: 'json', format: 'json', mediaType: 'application/json', file: '' },
  { name: 'html', format: 'api', mediaType: 'text/html', file: '' },
];

/** Asks both services for everything, and compares what they return. */
export async function compareServices(options: CompareOptions): Promise<Comparison> {
  const { requesters, origins, onProgress } = options;
  const lists = { old: await readLiveList(options.old), new: await readLiveList(options.new) };
  const { rows, pairs } = compareLists(lists.old.records, lists.new.records);
  const known = { old: lists.old.plain, new: lists.new.plain, pairs, hasUsers: requesters.length > 0 };
  const images = rows.filter(isImagePair);
  const { decoders, release } = acquireDecoders();
  try {
    const probes = table(tableOf(options, lists.old.records));
    const asked = await mapConcurrently(probes, CONCURRENCY, async (probe) => {
      const [old, now] = await Promise.all([options.old.ask(probe), options.new.ask(probe)]);
      return { probe, old: completeResponse(old), compared: compareRow(probe, old, now, known) };
    });
    const compared = await compareImages(images, { ...options, onProgress }, decoders);
    const byPair = new Map(images.map((pair, at) => [pair, compared[at]]));
    const { form } = lists.old;
    return {
      themes: pairs.size,
      compared: [
        ...rows.flatMap((row) => (isImagePair(row) ? (byPair.get(row) ?? []) : [row])),
        compareTexts('responses', 'LIST form', form, lists.new.form),
        ...asked.flatMap(({ compared: some }) => some),
        ...(await compareConditional(options)),
      ],
      notes: compact([
        unknownUsersNote(asked, lists.old.records),
        'POST and PUT are never sent: compare asks for what clients read.',
        requesters.length === 0 && 'No user was compared: add `--sample FILE:N`.',
        origins.length === 0 && 'No origin of a front end was compared: add `--origin https://app.example.org`.',
      ]),
    };
  } finally {
    release();
  }
}

function tableOf({ requesters, origins, new: { options } }: CompareOptions, records: readonly unknown[]): Table {
  const theme = records.find((one): one is AnyRecord => typeof one === 'object' && one !== null);
  const { endpoints, corsHeaders = [] } = options.rules ?? {};
  return {
    renderings: {
      list: endpoints?.list.renderings ?? RENDERINGS,
      config: endpoints?.config.renderings ?? RENDERINGS,
    },
    requesters,
    complete: COMPLETE,
    origins: [{ name: 'any origin', origin: ANY_ORIGIN }, ...origins.map((origin) => ({ name: origin, origin }))],
    requestHeaders: [...new Set(['authorization', ...corsHeaders.map((name) => name.toLowerCase())])],
    theme: theme && { id: theme['id'], name: theme['name'] },
  };
}

/** Requests each endpoint again with the ETag that the service has sent, and expects 304. */
async function compareConditional(services: Services): Promise<Compared[]> {
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
    // Without an ETag, that is reported as such.
    return old === undefined || now === undefined
      ? []
      : [compareTexts('responses', `${probe.what} If-None-Match status`, old, now)];
  });
  return (await Promise.all(results)).flat();
}

function headersOf(outcome: object): HttpResponse['headers'] {
  return 'headers' in outcome ? (outcome as HttpResponse).headers : {};
}

/** Users whose credentials OLD does not accept prove nothing, even if NEW gives them the same theme. */
function unknownUsersNote(
  asked: readonly { probe: Probe; old: HttpResponse | string }[],
  records: readonly unknown[],
): string | false {
  const fallback = records.find((one): one is AnyRecord => (one as AnyRecord | null)?.['is_default'] === true);
  const users = asked.filter(({ probe }) => probe.requester !== undefined && probe.path !== LIST.path);
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

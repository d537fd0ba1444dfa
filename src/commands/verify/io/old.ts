import { acquireDecoders } from '../../../system/decoder/shared.ts';
import { compact } from '../../../core/diagnostics/compact.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import type { HttpResponse } from '../../../system/http/exchange.ts';
import { routesOf } from '../expected.ts';
import { furtherHeaders } from '../headers.ts';
import { type AnyRecord, compareLists, idOf, isImagePair } from '../old/records.ts';
import type { OldRequester } from '../old/requesters.ts';
import { compareRow, completeResponse, type OldRow, recordOf } from '../old/responses.ts';
import { type CompareResult, type Comparison, compareTexts } from '../old/result.ts';
import { oldRows, type OldTable, ROUTES } from '../old/rows.ts';
import { compareImages } from './old-images.ts';
import { CONCURRENCY, readLiveList, type Services } from './old-service.ts';

export interface CompareOptions extends Services {
  requesters: readonly OldRequester[];
  /** Origins whose pages read the documents. */
  origins: readonly string[];
  /** Hostnames that both services get. */
  hostnames?: readonly string[];
  onProgress: (done: number, all: number) => void;
}

interface Answers {
  row: OldRow;
  old: HttpResponse | string;
  new: HttpResponse | string;
  compared: CompareResult[];
}

/** Sends all rows to both services: the answer of the old one is the expected one. */
export async function compareServices(options: CompareOptions): Promise<Comparison> {
  const { requesters, origins, onProgress } = options;
  const lists = { old: await readLiveList(options.old), new: await readLiveList(options.new) };
  const { rows, pairs } = compareLists(lists.old.records, lists.new.records);
  const liveLists = { old: lists.old.plain, new: lists.new.plain, pairs, hasUsers: requesters.length > 0 };
  const images = rows.filter(isImagePair);
  const { decoders, release } = acquireDecoders();
  try {
    const results = await mapConcurrently(
      oldRows(tableOf(options), lists.old.records),
      CONCURRENCY,
      async (row): Promise<Answers> => {
        const [old, now] = await Promise.all([options.old.ask(row), options.new.ask(row)]);
        return {
          row,
          old: completeResponse(old),
          new: completeResponse(now),
          compared: compareRow(row, old, now, liveLists),
        };
      },
    );
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
        furtherHeadersNote(results),
        'Not compared, because every service of Django REST Framework differs: texts of OPTIONS, and the type of errors below LIST.',
        'POST and PUT are never sent to compare two services.',
        requesters.length === 0 && 'No user was compared: add `--sample FILE:N`.',
        origins.length === 0 && 'No origin of a front end was compared: add `--origin https://app.example.org`.',
      ]),
    };
  } finally {
    release();
  }
}

function tableOf({ requesters, origins, hostnames, new: { options } }: CompareOptions): OldTable {
  const { rules } = options;
  const routes =
    rules &&
    routesOf(rules)
      .filter(({ kind }) => kind !== 'theme')
      .map(({ endpoint, ...route }) => ({ ...route, renderings: endpoint.renderings }));
  return { requesters, origins, hostnames, routes, corsHeaders: rules?.corsHeaders };
}

/** Requests each endpoint again with the ETag of its response, and compares the statuses. */
async function compareConditional(services: Services): Promise<CompareResult[]> {
  const results = ROUTES.map(async ({ title, kind, path }) => {
    const row: OldRow = { kind, path, what: `${title} GET`, method: 'GET', headers: {} };
    const statuses = await Promise.all(
      [services.old, services.new].map(async (service) => {
        const first = await service.ask(row);
        const etag = 'headers' in first ? first.headers['etag'] : undefined;
        const again = etag === undefined ? {} : await service.ask({ ...row, headers: { 'If-None-Match': etag } });
        return 'status' in again ? String(again.status) : undefined;
      }),
    );
    const [old, now] = statuses;
    // A missing ETag is reported elsewhere.
    return old === undefined || now === undefined
      ? []
      : [compareTexts('responses', `${row.what} If-None-Match status`, old, now)];
  });
  return (await Promise.all(results)).flat();
}

/** Names the headers that only OLD sends: clients may read them, or not even know them. */
function furtherHeadersNote(results: readonly Answers[]): string | false {
  const names = results.flatMap(({ row, old, new: now }) =>
    row.isDocument !== true || row.requester !== undefined || typeof old === 'string' || typeof now === 'string'
      ? []
      : furtherHeaders(old, now.headers),
  );
  const distinct = [...new Set(names)].filter((name) => !/^(?:allow|vary|access-control-.*)$/.test(name)).toSorted();
  return distinct.length > 0 && `OLD sends headers that NEW lacks; does a client read them? ${distinct.join(', ')}`;
}

/** Warns if OLD knows no user of the sample: equal themes then prove nothing, because all are the default theme. */
function unknownUsersNote(results: readonly Answers[], records: readonly unknown[]): string | false {
  const isDefault = (record: unknown): record is AnyRecord => (record as AnyRecord | null)?.['is_default'] === true;
  const fallback = records.find(isDefault);
  const isUnknown = ({ old }: Answers): boolean => {
    const record = typeof old === 'string' || old.status !== 200 ? undefined : recordOf(old);
    return record !== undefined && fallback !== undefined && idOf(record) === idOf(fallback);
  };
  const users = results.filter(
    ({ row }) => row.requester !== undefined && row.requester.wrong === undefined && row.what === 'CONFIG',
  );
  return (
    users.length > 0 &&
    users.every(isUnknown) &&
    'OLD gave every user its default theme. Check that it accepts their credentials, or that the users have others.'
  );
}

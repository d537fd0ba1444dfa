import { COMMIT } from './build-file.ts';
import { publishedDigits } from '../image/name.ts';
import { parseBounded } from '../source/json.ts';

/** How long images are retained that no document names any more, for documents that are still cached: 30 days, in milliseconds. */
export const RETENTION = 30 * 24 * 60 * 60 * 1000;

/** Format of `deployment.json`; raised when a reader has to change. */
const RECORD_VERSION = 1;

/** `deployment.json`: what is live. */
export interface DeploymentRecord {
  /** The commit that was built, in full. */
  commit: string;
  /** When it went live, as ISO 8601 in UTC. */
  time: string;
  /** SHA-256 of `manifest.json`. */
  manifest: string;
  /** `Cache-Control` of each cache class, as in `manifest.json`. */
  cache_control: Readonly<Record<string, string>>;
  /** Images that the manifest does not name and that cached documents still may. */
  retained: readonly RetainedImage[];
}

/** A published file as `manifest.json` lists it. */
export interface ListedFile {
  path: string;
  sha256: string;
  bytes: number;
}

export interface RetainedImage extends ListedFile {
  /** When it was last part of what was live, as ISO 8601 in UTC. */
  last_named: string;
}

/** The text of `deployment.json`. */
export function recordText(record: DeploymentRecord): string {
  return `${JSON.stringify({ version: RECORD_VERSION, ...record }, null, 2)}\n`;
}

/** What is live and since when, such as `9f3c1a2 (since 2026-11-24 10:12 UTC)`. */
export function liveSince({ commit, time }: DeploymentRecord): string {
  return `${commit.slice(0, 7)} (since ${time.slice(0, 16).replace('T', ' ')} UTC)`;
}

/** Reads a `deployment.json` from anywhere; undefined if it is invalid. */
export function parseRecord(text: string): DeploymentRecord | undefined {
  const value = parsed(text) as (DeploymentRecord & { version: unknown }) | undefined;
  if (value?.version !== RECORD_VERSION) return undefined;
  const { commit, time, manifest, cache_control, retained } = value;
  const isValid =
    isText(commit, COMMIT) &&
    isTime(time) &&
    isText(manifest, SHA256) &&
    typeof cache_control === 'object' &&
    Array.isArray(retained) &&
    retained.every((image: RetainedImage) => isListed(image) && isImage(image) && isTime(image.last_named));
  return isValid ? { commit, time, manifest, cache_control, retained } : undefined;
}

/** The fields of `manifest.json` that a deployment reads. */
interface Manifest {
  base_url: string;
  cache_control: Readonly<Record<string, string>>;
  files: readonly ListedFile[];
}

/** Reads a `manifest.json`; undefined if it is invalid. @param parse - bounded, unless a build here wrote it */
export function parseManifest(text: string, parse = parseBounded): Manifest | undefined {
  const manifest = parsed(text, parse) as Manifest | undefined;
  return Array.isArray(manifest?.files) && manifest.files.every(isListed) ? manifest : undefined;
}

/** Whether a path is that of a published image or thumbnail: its name has 16 digits of its SHA-256. */
export function isMedia(path: string): boolean {
  return publishedDigits(path) !== undefined;
}

/** Whether the name of a published image has the digits of its hash: any other path could be of a file that no build made. */
function isImage({ path, sha256 }: ListedFile): boolean {
  const digits = publishedDigits(path);
  return digits !== undefined && sha256.startsWith(digits);
}

const SHA256 = /^[0-9a-f]{64}$/;

function parsed(text: string, parse = parseBounded): object | undefined {
  try {
    const value = parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isListed(value: unknown): boolean {
  const { path, sha256, bytes } = (value ?? {}) as Partial<ListedFile>;
  // Each becomes a line of a list, and part of a path.
  const isPath = isText(path, /^[^\s\\]+$/) && !path.split('/').some((step) => ['', '.', '..'].includes(step));
  return isPath && isText(sha256, SHA256) && Number.isSafeInteger(bytes) && Number(bytes) >= 0;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isTime(value: unknown): value is string {
  return isText(value, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/) && !Number.isNaN(Date.parse(value));
}

import { COMMIT } from './build-file.ts';
import { publishedDigits } from '../../image/name.ts';
import { parseBounded } from '../../source/json.ts';

/** How long images are retained for documents that are still cached, after no document refers to them: 30 days, in milliseconds. */
export const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** The version of the format of `deployment.json`; raised when readers have to change. */
const RECORD_VERSION = 1;

/** `deployment.json`, the deployment record: the deployment that is live. */
export interface DeploymentRecord {
  /** The commit that was built, in full. */
  commit: string;
  /** The time of the deployment, as ISO 8601 in UTC. */
  time: string;
  manifest: string;
  /** `Cache-Control` of each cache class, as in `manifest.json`. */
  cache_control: Readonly<Record<string, string>>;
  /** Images that are no longer in the manifest, but that cached documents may still refer to. */
  retained: readonly RetainedImage[];
}

/** A published file, as listed in `manifest.json`. */
export interface ListedFile {
  path: string;
  sha256: string;
  bytes: number;
}

export interface RetainedImage extends ListedFile {
  /** The time at which it was last in the live manifest, as ISO 8601 in UTC. */
  last_named: string;
}

export function recordText(record: DeploymentRecord): string {
  return `${JSON.stringify({ version: RECORD_VERSION, ...record }, null, 2)}\n`;
}

/** Describes the live deployment: `9f3c1a2 (since 2026-11-24 10:12 UTC)`. */
export function liveSince({ commit, time }: DeploymentRecord): string {
  return `${commit.slice(0, 7)} (since ${time.slice(0, 16).replace('T', ' ')} UTC)`;
}

/** Parses a `deployment.json` from anywhere; returns undefined if it is invalid. */
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

/** Parses a `manifest.json`; returns undefined if it is invalid. @param parse - bounded, unless a local build wrote the file */
export function parseManifest(text: string, parse = parseBounded): Manifest | undefined {
  const manifest = parsed(text, parse) as Manifest | undefined;
  return Array.isArray(manifest?.files) && manifest.files.every(isListed) ? manifest : undefined;
}

/** Checks whether a path belongs to a published image or thumbnail: the name contains 16 digits of its SHA-256. */
export function isMedia(path: string): boolean {
  return publishedDigits(path) !== undefined;
}

/** Checks whether a name contains the digits of the file's hash. Any other path could be a file that no build made. */
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
  // A path becomes a line of a list, and part of another path.
  const isPath = isText(path, /^[^\s\\]+$/) && !path.split('/').some((step) => ['', '.', '..'].includes(step));
  return isPath && isText(sha256, SHA256) && Number.isSafeInteger(bytes) && Number(bytes) >= 0;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isTime(value: unknown): value is string {
  return isText(value, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/) && !Number.isNaN(Date.parse(value));
}

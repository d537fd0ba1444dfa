import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';

/** The part of `viewer-request.js` that decides the theme of the user, with keyed shards, tokens and hostnames if needed. */
export function identityCode({ keyed, tokens, hosts }: Record<'keyed' | 'tokens' | 'hosts', boolean>): string {
  const identity = hosts
    ? IDENTITY.replace(HEADER_RULE, `  if (rule.host) return hostKey(request, rule);\n${HEADER_RULE}`)
    : IDENTITY;
  return `${identity}${keyed ? SHARDS : KEYS}${tokens ? TOKENS : ''}${hosts ? HOSTS : ''}`;
}

const HEADER_RULE = '  if (rule.header) return headerKey(request, rule);\n';

const IDENTITY = String.raw`
// The theme of the first rule that matches; empty for the default theme.
async function themeOf(request) {
  for (let at = 0; at < RULES.length; at++) {
    const rule = RULES[at];
    const key = await keyOf(request, rule);
    if (key && key.length <= 128) {
      const theme = await mapped(rule.names, key);
      // Must be a slug: no other value of the store becomes part of a path.
      if (/^[a-z0-9][a-z0-9-]*$/.test(theme)) return theme;
    }
  }
  return '';
}

// The key that a rule reads from the request, if it can be trusted.
function keyOf(request, rule) {
  if (rule.claim) return tokenKey(request, rule);
  if (rule.header) return headerKey(request, rule);
  return cookie(request, rule.cookie);
}

// A value of the key value store, which throws for a missing key.
async function stored(key) {
  try {
    return await cf.kvs().get(key);
  } catch (error) {
    return '';
  }
}

// The first cookie of this name, not decoded.
function cookie(request, name) {
  const found = Object.keys(request.cookies).includes(name) ? request.cookies[name] : undefined;
  return found ? trimmed(found.multiValue ? found.multiValue[0].value : found.value).replace(/^"(.*)"$/, '$1') : '';
}

// A header is trusted only with the secret of the proxy that sets it.
async function headerKey(request, rule) {
  const secret = await stored(rule.secret);
  const trusted = secret.length >= ${MIN_SECRET_BYTES} && isEqual(joined(request.headers, rule.vouched), secret);
  return trusted ? joined(request.headers, rule.header) : '';
}

// Compares in constant time.
function isEqual(given, secret) {
  let difference = given.length ^ secret.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  return difference === 0;
}
`;

const KEYS = String.raw`
// The slug of a user, a group or a slug.
function mapped(names, key) {
  return stored(names + ':' + key);
}
`;

/** Equivalent to `src/edge-runtime/shards.ts`, without typed arrays: records are read as hexadecimal text. */
const SHARDS = String.raw`
// The slug of a slug, or of a user or group in keyed shards.
async function mapped(names, key) {
  if (names === 'theme') return stored('theme:' + key);
  const text = await stored('pointer');
  if (!text) return '';
  const pointer = JSON.parse(text);
  const secret = await stored('secret:' + pointer.key_id);
  if (secret.length < ${MIN_SECRET_BYTES}) return '';
  const digest = crypto.createHmac('sha256', secret).update(names.charAt(0) + ':' + key).digest('hex');
  const bits = Math.round(Math.log2(pointer.shards));
  const shard = parseInt(digest.slice(0, 4), 16) >> (16 - bits);
  const page = await stored('i:' + pointer.build + ':' + hex(shard >> 6, Math.max(1, Math.ceil((bits - 6) / 4))));
  const at = (shard & 63) * 12;
  const shardText = await stored('s:' + hex(shard, Math.ceil(bits / 4)) + ':' + page.slice(at, at + 12));
  const id = find(Buffer.from(shardText, 'base64').toString('hex'), digest.slice(4, 16), 2 * pointer.theme_bytes);
  return id ? stored('id:' + parseInt(id, 16)) : '';
}

function hex(number, width) {
  return number.toString(16).padStart(width, '0');
}

// Finds the id of a digest by binary search.
function find(records, digest, idLength) {
  const width = 12 + idLength;
  let low = 0;
  let high = records.length / width;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * width;
    const found = records.slice(at, at + 12);
    if (found === digest) return records.slice(at + 12, at + width);
    if (found < digest) low = middle + 1;
    else high = middle;
  }
  return '';
}
`;

const TOKENS = String.raw`
// Verifies a token with HS256 and returns one of its claims; empty if any check fails.
async function tokenKey(request, rule) {
  const bearer = /^Bearer +([^ ]+)$/i.exec(joined(request.headers, 'authorization'));
  const token = rule.cookie ? cookie(request, rule.cookie) : bearer ? bearer[1] : '';
  const secret = await stored(rule.secret);
  if (secret.length < ${MIN_SECRET_BYTES} || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return '';
  try {
    const parts = token.split('.');
    const signature = crypto.createHmac('sha256', secret).update(parts[0] + '.' + parts[1]).digest('base64url');
    const head = JSON.parse(Buffer.from(parts[0], 'base64url').toString());
    if (head.alg !== 'HS256' || head.crit !== undefined || !isEqual(parts[2], signature)) return '';
    const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
    const now = Date.now() / 1000;
    if (typeof claims.exp !== 'number' || claims.exp <= now) return '';
    if (claims.nbf !== undefined && (typeof claims.nbf !== 'number' || claims.nbf > now)) return '';
    const claim = Object.keys(claims).includes(rule.claim) ? claims[rule.claim] : '';
    return typeof claim === 'string' || typeof claim === 'number' ? String(claim) : '';
  } catch (error) {
    return '';
  }
}
`;

const HOSTS = String.raw`
// The hostname of the request, as src/edge-runtime/hostname.ts normalises it; or the slug that a rule maps it to. A
// group is a hostname only if it has a dot.
async function hostKey(request, rule) {
  const host = /^([a-z0-9.-]*[a-z0-9])\.?(?::\d*)?$/i.exec(joined(request.headers, 'host'));
  const name = host ? host[1].toLowerCase() : '';
  if (rule.map) return name && stored(rule.map + name);
  return name.includes('.') ? name : '';
}
`;

import { describe, expect, it } from 'vitest';
import { addressKind, guardedLookup } from '../../../src/http/io/addresses.ts';
import { Fetcher } from '../../../src/http/io/fetcher.ts';
import { requestUrl } from '../../../src/http/io/origin.ts';
import { startFakeService } from '../../import/service.ts';
import { longTest } from '../../long-test.ts';

describe('the kind of an address', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['127.0.0.1', 'private'],
    ['::1', 'private'],
    ['fd00::1', 'private'],
    ['169.254.169.254', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    // IPv4 in IPv6: mapped, compatible, NAT64, 6to4.
    ['::ffff:169.254.169.254', 'forbidden'],
    ['::ffff:a9fe:a9fe', 'forbidden'],
    ['0:0:0:0:0:ffff:7f00:1', 'private'],
    ['::10.0.0.1', 'forbidden'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::93.184.216.34', 'public'],
    ['64:ff9b::169.254.169.254', 'forbidden'],
    ['2002:a9fe:a9fe::1', 'forbidden'],
    ['2002:5db8:d822::1', 'forbidden'],
    // Translated, NAT64 of a network, Teredo, 6to4 relays, Azure, and benchmarking.
    ['::ffff:0:169.254.169.254', 'forbidden'],
    ['::ffff:0:10.0.0.1', 'forbidden'],
    ['::ffff:93.184.216.34', 'public'],
    ['64:ff9b:1::a00:1', 'forbidden'],
    ['64:ff9b:1:ffff::1', 'forbidden'],
    ['64:ff9b:2::1', 'public'],
    ['2001:0:a9fe:a9fe::1', 'forbidden'],
    ['2001:1::1', 'public'],
    ['192.88.99.1', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['168.63.129.17', 'public'],
    ['198.18.0.1', 'private'],
    ['198.19.255.255', 'private'],
    ['198.20.0.1', 'public'],
  ])('of %s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('an import', () => {
  const requestTarget = { origin: 'https://old.example.org', mediaHosts: ['cdn.example.org'], allowsPrivate: false };

  it.each([
    ['https://old.example.org/media/a.png', 'https://old.example.org/media/a.png'],
    // Behind a proxy that terminates TLS, a service writes its own URLs with http.
    ['http://old.example.org/media/a.png', 'https://old.example.org/media/a.png'],
    ['https://cdn.example.org/a.png', 'https://cdn.example.org/a.png'],
  ])('requests %s as %s', (text, url) => {
    expect(String(requestUrl(text, requestTarget))).toBe(url);
  });

  it.each([
    ['http://cdn.example.org/a.png', /not secure/],
    ['https://other.example.org/a.png', /--media-host other\.example\.org/],
    ['https://old.example.org:8443/a.png', /another host/],
    ['https://old.example.org@evil.example/a.png', /user name/],
    ['file:///etc/passwd', /no http or https URL/],
    ['//old.example.org/a.png', /no http or https URL/],
    ['https://2852039166/', /another host/],
  ])('never requests %s', (text, reason) => {
    expect(requestUrl(text, requestTarget)).toMatch(reason);
  });

  it.each(['https://169.254.169.254/', 'https://[::ffff:169.254.169.254]/', 'https://0x7f.1/', 'https://127.0.0.1/'])(
    'never requests the address %s, even as a media host',
    (text) => {
      const { host } = new URL(text);
      expect(requestUrl(text, { ...requestTarget, mediaHosts: [host] })).toMatch(/so it is not requested/);
    },
  );

  longTest('checks the address of the connection, because DNS may return another address by then', async () => {
    const service = await startFakeService();
    const origin = service.url.replace('127.0.0.1', 'localhost');
    const options = { origin, mediaHosts: [], userAgent: 'themecast-import', rate: 1000 };
    const fetcher = new Fetcher({ ...options, allowsPrivate: false });
    expect(await fetcher.get(`${origin}/api/v2/theme/`, 1000)).toMatchObject({
      problem: expect.stringMatching(/localhost is at .*a private address/) as string,
    });
    expect(service.requests).toEqual([]);
    fetcher.close();
    const privateFetcher = new Fetcher({ ...options, allowsPrivate: true });
    expect(await privateFetcher.get(`${origin}/api/v2/theme/`, 1000)).toMatchObject({ status: 200 });
    privateFetcher.close();
    await service.close();
  });

  it('checks all addresses of a name', async () => {
    const lookup = guardedLookup(false);
    const error = await new Promise<unknown>((resolve) => {
      lookup('localhost', { all: true }, (addresses) => resolve(addresses));
    });
    expect(String(error)).toContain('so it is not requested');
  });
});

import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Repository } from './deploy/repository.ts';
import { type DeployServer, missing, startDeployServer } from './deploy/server.ts';
import { type Listening, listening } from './listening.ts';
import { skipAll } from './skip.ts';

const PASSWORD = `Basic ${Buffer.from('team:secret').toString('base64')}`;

if (missing.length > 0)
  skipAll(
    'a staging host with a password',
    'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.',
  );
else
  describe('a staging host with a password in front of it', { timeout: 120_000 }, () => {
    let server: DeployServer;
    let front: Listening;
    let repository: Repository;

    beforeAll(async () => {
      server = await startDeployServer();
      front = await listening((request, response) => {
        const { method, url: path, headers } = request;
        const { authorization, ...others } = headers;
        if (authorization !== PASSWORD) {
          response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="staging"' }).end();
          return;
        }
        const forwarded = http.request({ port: server.port, method, path, headers: others }, (received) => {
          response.writeHead(received.statusCode ?? 0, received.headers);
          received.pipe(response);
        });
        request.pipe(forwarded);
      });
      const origin = { listen: `127.0.0.1:${server.port}`, document_root: `${server.target}/dist` };
      repository = await Repository.withMeadow({ base_url: front.url, origin }, server);
      await repository.commit();
      await repository.build();
    });
    afterAll(async () => {
      await front.stop();
      await server.stop();
      await repository.remove();
    });

    it('is deployed to and verified with `--every-request`, and the password is not printed', async () => {
      const env = { PASSWORD };
      const { code, stdout, stderr } = await repository.deploy(['--every-request', 'Authorization=PASSWORD'], env);
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toMatch(/✔ \d+ checks passed.* serves this build/);
      expect(stdout + stderr).not.toContain(PASSWORD.slice(6));
      const closed = await repository.run('verify', front.url);
      expect(closed).toMatchObject({ code: 1 });
      expect(closed.stdout).toContain('A login or a firewall protects the service');
    });
  });

import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * What may be sent to a call: `true` stands for any value, `[shape]` for a list, an object for named parts. The names are those of the
 * official library's types, so that a parameter which Stripe does not have is an error of the compiler here and of the test there.
 */
export type Shape = true | [Shape] | { [name: string]: Shape };

/** The names in what was sent that a call does not take, as paths such as metadata[other]. */
function unknownIn(sent: unknown, taken: Shape, path = ''): string[] {
  if (taken === true) return [];
  if (Array.isArray(taken)) return Object.values(sent ?? {}).flatMap((each) => unknownIn(each, taken[0], `${path}[]`));
  if (typeof sent !== 'object' || sent === null) return [path];
  return Object.entries(sent).flatMap(([name, value]) => {
    const known = taken[name];
    const here = path === '' ? name : `${path}[${name}]`;
    return known === undefined ? [here] : unknownIn(value, known, here);
  });
}

/** What the gateway shows of something that is written down with more. */
export const without = (whole: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));

/** An answer that says no. */
export class No extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: Record<string, unknown>) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

export type Sent = { id: string; form: Record<string, unknown> };

/**
 * What goes wrong with the next call of a name: `silent` does nothing and says nothing, `lost` does it and says nothing, `cut` says half,
 * `broken` does nothing, says so, and remembers it under the call's key.
 */
export type Trouble = 'silent' | 'lost' | 'cut' | 'broken';

type Parts = {
  /** the calls that are answered, such as `GET /v1/orders/:id`, and what each takes */
  calls: Record<string, Shape>;
  answers: Record<string, (sent: Sent) => object>;
  authorization: string;
  read(body: string): Record<string, unknown>;
  readQuery(query: string): Record<string, unknown>;
};

type Remembered = { print: string; status: number; body: string };

/** Answers a gateway's calls on a port of this machine, and keeps account of what the gateway would not have understood. */
export async function gatewayStandIn({ calls, answers, authorization, read, readQuery }: Parts) {
  const app = Fastify({ forceCloseConnections: true });
  const unknown: string[] = [];
  const asked: string[] = [];
  const remembered = new Map<string, Remembered>();
  let trouble: { call: string; kind: Trouble } | undefined;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, String(body)));

  const run = (name: string, sent: Sent): Omit<Remembered, 'print'> => {
    try {
      const made = answers[name];
      if (!made) throw new No(404, { code: 'unknown_call' });
      return { status: 200, body: JSON.stringify(made(sent)) };
    } catch (error) {
      if (error instanceof No) return { status: error.status, body: JSON.stringify({ error: error.error }) };
      throw error;
    }
  };

  const nameOf = ({ method, url }: FastifyRequest): { name: string; id: string } => {
    const { pathname } = new URL(url, 'http://gateway');
    for (const name of Object.keys(calls)) {
      const [of, path = ''] = name.split(' ');
      const found = new RegExp(`^${path.replace(':id', '([^/]+)')}$`).exec(pathname);
      if (of === method && found) return { name, id: found[1] ?? '' };
    }
    unknown.push(`${method} ${pathname}`);
    return { name: '', id: '' };
  };

  app.all('/*', (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { name, id } = nameOf(request);
    const query = new URL(request.url, 'http://gateway').search.slice(1);
    const form = { ...readQuery(query), ...(typeof request.body === 'string' ? read(request.body) : {}) };
    for (const each of unknownIn(form, calls[name] ?? {})) unknown.push(`${name}: ${each}`);
    asked.push(name);
    if (request.headers.authorization !== authorization) return reply.code(401).send({ error: { type: 'authentication_error' } });
    const wrong = trouble?.call === name ? trouble.kind : undefined;
    if (wrong) trouble = undefined;
    if (wrong === 'silent') return reply.hijack();
    const key = String(request.headers['idempotency-key'] ?? '');
    const print = JSON.stringify([name, id, form]);
    const kept = remembered.get(key);
    if (kept && kept.print !== print) return reply.code(400).send({ error: { type: 'idempotency_error' } });
    const made = kept ?? (wrong === 'broken' ? { status: 500, body: '{"error":{"type":"api_error"}}' } : run(name, { id, form }));
    if (key !== '') remembered.set(key, { ...made, print });
    if (wrong === 'lost') return reply.hijack();
    if (wrong === 'cut') {
      const length = String(Buffer.byteLength(made.body));
      reply.hijack().raw.writeHead(made.status, { 'content-type': 'application/json', 'content-length': length });
      reply.raw.write(made.body.slice(0, made.body.length / 2), () => reply.raw.destroy());
      return reply;
    }
    void reply
      .code(made.status)
      .type('application/json')
      .headers(kept ? { 'idempotent-replayed': 'true' } : {});
    return reply.send(made.body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    /** What was asked or sent that the gateway does not have. */
    unknown,
    asked,
    /** The next call of a name goes wrong. */
    trouble(call: string, kind: Trouble): void {
      if (!(call in calls)) throw new Error(`There is no call ${call}.`);
      trouble = { call, kind };
    },
    close: () => app.close(),
  };
}

import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/**
 * Parameters that a call accepts: `true` stands for any value, `[shape]` for a list, an object for
 * named parts. The names come from the official library's types, so that a parameter unknown to the
 * gateway fails the compiler here and the test there.
 */
export type ParameterShape = true | [ParameterShape] | { [name: string]: ParameterShape };

/** Paths of sent parameters that a call does not accept, such as metadata[other]. */
function findUnknownParameters(sent: unknown, taken: ParameterShape, path = ''): string[] {
  if (taken === true) return [];
  if (Array.isArray(taken))
    return Object.values(sent ?? {}).flatMap((each) => findUnknownParameters(each, taken[0], `${path}[]`));
  if (typeof sent !== 'object' || sent === null) return [path];
  return Object.entries(sent).flatMap(([name, value]) => {
    const known = taken[name];
    const here = path === '' ? name : `${path}[${name}]`;
    return known === undefined ? [here] : findUnknownParameters(value, known, here);
  });
}

/** The public part of a stored object: without the named properties. */
export const omit = (whole: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));

/** An error response. */
export class GatewayError extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: Record<string, unknown>) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

export type GatewayCall = { id: string; form: Record<string, unknown> };

/**
 * Faults of the next call of a name. `silent`: neither does it nor answers; `lost`: does it, does
 * not answer; `cut`: does it, sends half the answer; `broken`: answers an error and stores that
 * answer under the idempotency key.
 */
export type ResponseFault = 'silent' | 'lost' | 'cut' | 'broken';

type FakeGatewayOptions = {
  /** supported calls, such as `GET /v1/orders/:id`, and the parameters of each */
  calls: Record<string, ParameterShape>;
  answers: Record<string, (sent: GatewayCall) => object>;
  authorization: string;
  read(body: string): Record<string, unknown>;
  readQuery(query: string): Record<string, unknown>;
};

type RememberedAnswer = { print: string; status: number; body: string };

/**
 * Answers a gateway's calls on a local port, and records the requests that the gateway would not
 * accept.
 */
export async function startFakeGateway({ calls, answers, authorization, read, readQuery }: FakeGatewayOptions) {
  const app = Fastify({ forceCloseConnections: true });
  const unknown: string[] = [];
  const asked: string[] = [];
  const remembered = new Map<string, RememberedAnswer>();
  let trouble: { call: string; kind: ResponseFault } | undefined;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, String(body)));

  const run = (name: string, sent: GatewayCall): Omit<RememberedAnswer, 'print'> => {
    try {
      const made = answers[name];
      if (!made) throw new GatewayError(404, { code: 'unknown_call' });
      return { status: 200, body: JSON.stringify(made(sent)) };
    } catch (error) {
      if (error instanceof GatewayError) return { status: error.status, body: JSON.stringify({ error: error.error }) };
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
    for (const each of findUnknownParameters(form, calls[name] ?? {})) unknown.push(`${name}: ${each}`);
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
    /** Calls and parameters that the gateway does not have. */
    unknown,
    asked,
    /** Makes the next call of a name fail. */
    trouble(call: string, kind: ResponseFault): void {
      if (!(call in calls)) throw new Error(`The fake gateway has no call ${call}.`);
      trouble = { call, kind };
    },
    close: () => app.close(),
  };
}

import type { Route } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { problemOf } from '../../machines/model/problem.ts';
import { send, type Held } from './held.ts';
import { stableWord } from '../../src/client/wire/refusal.ts';
import type { Port, Wire, World } from './stage.ts';
import { wireOfProblem } from './wires.ts';

const settlement = /^xstate\.(done|error)\.actor\.(.+)$/;

/** The port that an event settles, or null for any other event. */
export const portSettledBy = ({ type }: AnyEventObject): string | null => settlement.exec(type)?.[2] ?? null;

const isFailure = (event: AnyEventObject): boolean => event.type.startsWith('xstate.error.');

const wireOf = (port: Port, event: AnyEventObject, url: URL): Wire =>
  isFailure(event) ? wireOfProblem(problemOf(event['error'])) : port.answer(event['output'] as never, url);

const codeIn = (body: string): string | undefined => {
  const word = /<Code>([^<]*)<|"code":"([^"]*)"|<Status>([^<]*)</.exec(body)?.slice(1).find(Boolean);
  return word === undefined ? undefined : stableWord(word);
};

/** Whether the server's answer is the one that the tour is after. */
const isWanted = (
  port: Port,
  event: AnyEventObject,
  wanted: Exclude<Wire, string>,
  got: Exclude<Wire, string>,
  url: URL,
): boolean =>
  isFailure(event)
    ? codeIn(got.body) === codeIn(wanted.body) && (got.status === wanted.status || codeIn(got.body) !== undefined)
    : got.status === wanted.status && (port.says?.(event['output'] as never, got.body, url) ?? false);

const fulfil = async (world: World, port: Port, event: AnyEventObject, route: Route, url: URL): Promise<void> => {
  if (await port.serverGives?.(event, world)) {
    world.answered();
    return route.continue();
  }
  const wanted = wireOf(port, event, url);
  if (port.says && typeof wanted !== 'string') {
    const response = await route.fetch();
    const body = await response.text();
    const got = { status: response.status(), contentType: '', body };
    if (isWanted(port, event, wanted, got, url)) {
      world.answered();
      return route.fulfill({ response, body });
    }
  }
  world.injected(`${event.type}: ${isFailure(event) ? problemOf(event['error']).kind : 'an answer'} in place of the server's`);
  return send(route, wanted);
};

/** Settles a port as the event says: by the server's own answer where it is of that kind, else by one put in its place. */
export const settle = async (world: World, held: Held, name: string, event: AnyEventObject): Promise<void> => {
  const port = held.ports[name];
  if (!port) throw new Error(`The stage has no port ${name}.`);
  await held.settle(name, (route, url) => fulfil(world, port, event, route, url));
};

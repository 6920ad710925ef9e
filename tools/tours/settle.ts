import type { Route } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { toProblem } from '../../machines/model/problem.ts';
import { sendResponse, type Held } from './held-requests.ts';
import { toErrorCode } from '../../src/client/wire/refusal.ts';
import type { Port, StubResponse, WalkContext } from './browser-adapter.ts';
import { toProblemResponse } from './wires.ts';

const settledPattern = /^xstate\.(done|error)\.actor\.(.+)$/;

/** The port that an event settles, or null for any other event. */
export const getSettledPort = ({ type }: AnyEventObject): string | null => settledPattern.exec(type)?.[2] ?? null;

const isFailure = (event: AnyEventObject): boolean => event.type.startsWith('xstate.error.');

const toStubResponse = (port: Port, event: AnyEventObject, url: URL): StubResponse =>
  isFailure(event) ? toProblemResponse(toProblem(event['error'])) : port.answer(event['output'] as never, url);

const findCode = (body: string): string | undefined => {
  const word = /<Code>([^<]*)<|"code":"([^"]*)"|<Status>([^<]*)</.exec(body)?.slice(1).find(Boolean);
  return word === undefined ? undefined : toErrorCode(word);
};

/** Whether the server's response is the one that the walk needs. */
const isWantedResponse = (
  port: Port,
  event: AnyEventObject,
  wanted: Exclude<StubResponse, string>,
  got: Exclude<StubResponse, string>,
  url: URL,
): boolean =>
  isFailure(event)
    ? findCode(got.body) === findCode(wanted.body) && (got.status === wanted.status || findCode(got.body) !== undefined)
    : got.status === wanted.status && (port.says?.(event['output'] as never, got.body, url) ?? false);

const fulfillRequest = async (world: WalkContext, port: Port, event: AnyEventObject, route: Route, url: URL): Promise<void> => {
  if (await port.serverWillAnswer?.(event, world)) {
    world.answered();
    return route.continue();
  }
  const wanted = toStubResponse(port, event, url);
  if (port.says && typeof wanted !== 'string') {
    const response = await route.fetch();
    const body = await response.text();
    const got = { status: response.status(), contentType: '', body };
    if (isWantedResponse(port, event, wanted, got, url)) {
      world.answered();
      return route.fulfill({ response, body });
    }
  }
  world.injected(`${event.type}: ${isFailure(event) ? toProblem(event['error']).kind : 'an answer'} in place of the server's`);
  return sendResponse(route, wanted);
};

/**
 * Settles a port with an event: by the server's own response if it matches, else by an injected
 * one.
 */
export const settle = async (world: WalkContext, held: Held, name: string, event: AnyEventObject): Promise<void> => {
  const port = held.ports[name];
  if (!port) throw new Error(`The stage has no port ${name}, only ${Object.keys(held.ports).join(', ')}.`);
  await held.settle(name, (route, url) => fulfillRequest(world, port, event, route, url));
};

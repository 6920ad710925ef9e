import type { Route } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { toProblem } from '../../machines/model/problem.ts';
import { sendResponse, type HeldRequests } from './held-requests.ts';
import { toErrorCode } from '../../src/client/wire/refusal.ts';
import type { Port, StubResponse, WalkContext } from './browser-adapter.ts';
import { toProblemResponse } from './wires.ts';

const settledPattern = /^xstate\.(done|error)\.actor\.(.+)$/;

/** Returns the port that an event settles, or null for an event that settles none. */
export const getSettledPort = ({ type }: AnyEventObject): string | null => settledPattern.exec(type)?.[2] ?? null;

const isFailure = (event: AnyEventObject): boolean => event.type.startsWith('xstate.error.');

const toStubResponse = (port: Port, event: AnyEventObject, url: URL): StubResponse =>
  isFailure(event) ? toProblemResponse(toProblem(event['error'])) : port.toResponse(event['output'] as never, url);

/** Returns the error code in a response's body, or undefined. */
const findCode = (body: string): string | undefined => {
  const code = /<Code>([^<]*)<|"code":"([^"]*)"|<Status>([^<]*)</.exec(body)?.slice(1).find(Boolean);
  return code === undefined ? undefined : toErrorCode(code);
};

/** Whether the server's response is the one that the walk needs. */
const isNeededResponse = (
  port: Port,
  event: AnyEventObject,
  neededResponse: Exclude<StubResponse, string>,
  actualResponse: Exclude<StubResponse, string>,
  url: URL,
): boolean =>
  isFailure(event)
    ? findCode(actualResponse.body) === findCode(neededResponse.body) &&
      (actualResponse.status === neededResponse.status || findCode(actualResponse.body) !== undefined)
    : actualResponse.status === neededResponse.status &&
      (port.isEquivalent?.(event['output'] as never, actualResponse.body, url) ?? false);

const fulfillRequest = async (walk: WalkContext, port: Port, event: AnyEventObject, route: Route, url: URL): Promise<void> => {
  if (await port.serverWillAnswer?.(event, walk)) {
    walk.recordServerResponse();
    return route.continue();
  }
  const neededResponse = toStubResponse(port, event, url);
  if (port.isEquivalent && typeof neededResponse !== 'string') {
    const response = await route.fetch();
    const body = await response.text();
    const actualResponse = { status: response.status(), contentType: '', body };
    if (isNeededResponse(port, event, neededResponse, actualResponse, url)) {
      walk.recordServerResponse();
      return route.fulfill({ response, body });
    }
  }
  walk.recordInjection(
    `${event.type}: ${isFailure(event) ? toProblem(event['error']).kind : 'a response'} in place of the server's`,
  );
  return sendResponse(route, neededResponse);
};

/**
 * Settles a port with an event: by the server's own response if it is the needed one, else by an
 * injected response.
 */
export const settle = async (
  walk: WalkContext,
  heldRequests: HeldRequests,
  name: string,
  event: AnyEventObject,
): Promise<void> => {
  const port = heldRequests.ports[name];
  if (!port) throw new Error(`The browser adapter has no port ${name}, only ${Object.keys(heldRequests.ports).join(', ')}.`);
  await heldRequests.settle(name, (route, url) => fulfillRequest(walk, port, event, route, url));
};

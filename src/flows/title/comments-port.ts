import { titlePath } from '../../../machines/model/paths.ts';
import { requestPort } from '../../../machines/ports.ts';
import { raise, unreached } from '../../client/wire/problem.ts';
import { awaitElement } from '../../ui/await-element.ts';
import type { World } from '../../shell/app/world.ts';
import * as v from 'valibot';
import type { Api } from '../../client/wire/client.ts';
import { jsonAnswer } from '../../client/wire/json.ts';

const Token = v.object({ token: v.pipe(v.string(), v.nonEmpty()) });

/** The token by which the store's comments know the customer. */
const coralToken = async (api: Api, signal?: AbortSignal): Promise<string> => {
  const { token } = await jsonAnswer(api, 'coral/token', api.client.GET('/coral/token', api.reading(signal)), Token);
  return token;
};

type Stream = { id: string; autoRender: true; rootURL: string; storyID: string; storyURL: string; accessToken?: string };

/** What Coral's own script leaves in the window. */
type Coral = { createStreamEmbed: (stream: Stream) => unknown };

const coralIn = (page: Window): Coral | undefined => (page as { Coral?: Coral }).Coral;

/** Runs Coral's script; it is asked for at each stream, and the browser keeps it. */
const runScript = (src: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => reject(new Error('the script of the comments did not come'));
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', fail);
    signal.addEventListener('abort', fail);
    document.head.append(script);
  });

type Caller = Pick<World, 'api' | 'token'>;

/** The customer's comment token; without one, as for a visitor, the comments are read-only. */
const accessToken = async ({ api, token }: Caller, signal: AbortSignal): Promise<{ accessToken?: string }> => {
  if (!token()) return {};
  return coralToken(await api(), signal).then(
    (accessToken) => ({ accessToken }),
    () => ({}),
  );
};

/** The comments on a title, by the Coral service that the configuration names, in the element `[data-in-view="comments"]`. */
export const comments = (caller: Caller) =>
  requestPort<null, { titleId: string; name: string }>(async ({ input: { titleId, name }, signal }) => {
    const { config } = await caller.api();
    const rootURL = config.coralHost ?? '';
    if (rootURL === '') return raise({ kind: 'refused', code: 'not_found', message: '' });
    const [place, introduction] = await Promise.all([
      awaitElement('data-in-view', 'comments', signal),
      accessToken(caller, signal),
      runScript(`${rootURL}/assets/js/embed.js`, signal).catch(() => raise(unreached())),
    ]);
    const coral = coralIn(window) ?? raise({ kind: 'malformed', call: 'coral', field: 'Coral', message: '' });
    const stream = document.createElement('div');
    stream.id = 'coral_thread';
    place.replaceChildren(stream);
    const storyURL = new URL(titlePath(titleId, name), location.origin).href;
    coral.createStreamEmbed({ id: stream.id, autoRender: true, rootURL, storyID: titleId, storyURL, ...introduction });
    return null;
  });

import * as v from 'valibot';
import type { TypedCode } from '../../../machines/model/account/phone.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { isWebAddress } from './providers.ts';
import { orWhenUnknownCall } from '../wire/unknown-call.ts';

const text = v.pipe(v.string(), v.nonEmpty());

/** One of a kind that this shop does not know is left out. */
const Known = v.object({
  providerId: text,
  kind: v.picklist(['oidc', 'facebook', 'phone']),
  name: text,
  joined: v.optional(v.boolean(), false),
});

const List = v.object({ providers: v.array(v.unknown()) });

const listed = ({ providers }: v.InferOutput<typeof List>): OwnProvider[] =>
  providers.flatMap((each) => {
    if (!v.is(Known, each)) return [];
    const { providerId: id, kind, name, joined = false } = each;
    return [{ id, kind, name, isJoined: joined }];
  });

/** By whom the customer may sign in, in the order shown; none where the server does not say. */
export const ownProviders = async (api: Api, signal: AbortSignal): Promise<OwnProvider[]> => {
  const asking = jsonAnswer(api, 'user/ways/providers', api.client.GET('/user/ways/providers', api.reading(signal)), List);
  return asking.then(listed, (error: unknown) => orWhenUnknownCall<OwnProvider[]>(error, []));
};

const Begun = v.object({
  url: v.optional(v.pipe(text, v.check(isWebAddress, 'no web address'))),
  state: v.optional(text),
});

/**
 * Begins to join a provider: where to go, and what to come back with; null for a telephone.
 * @throws Problem `refused`: `sign_in_again` for who signed in too long ago, `provider_unreachable`, `not_found`.
 */
export const startJoining = async (
  api: Api,
  providerId: string,
  signal: AbortSignal,
): Promise<{ url: string; state: string } | null> => {
  const sending = api.client.POST('/user/ways/start', { body: { providerId }, ...api.changing(null, signal) });
  const { url, state } = await jsonAnswer(api, 'user/ways/start', sending, Begun);
  return url === undefined || state === undefined ? null : { url, state };
};

/**
 * Joins whom a provider has sent back. An empty issuer was not given.
 * @throws Problem `refused`: `sign_in_over`, `provider_taken`, `provider_refused`, `provider_unreachable`.
 */
export const joinProvider = async (
  api: Api,
  { state, code, issuer }: { state: string; code: string; issuer: string },
): Promise<object> => {
  const body = { state, code, ...(issuer === '' ? {} : { issuer }) };
  const sending = api.client.POST('/user/ways/join', { body, ...api.changing(null) });
  return jsonAnswer(api, 'user/ways/join', sending, List);
};

/** @throws Problem `refused`: `code_wrong`, `code_over`, `provider_taken`, `sign_in_again`. */
export const joinPhone = async (api: Api, { phone, code, requestId }: TypedCode): Promise<object> => {
  const body = { phone, code, ...(requestId === '' ? {} : { requestId }) };
  const sending = api.client.POST('/user/ways/phone', { body, ...api.changing(null) });
  return jsonAnswer(api, 'user/ways/phone', sending, List);
};

/**
 * Gives all of them, as they are then.
 * @throws Problem `refused`: `last_way_in`, `sign_in_again`, `not_found`.
 */
export const removeProvider = async (api: Api, providerId: string, signal: AbortSignal): Promise<OwnProvider[]> => {
  const sending = api.client.POST('/user/ways/remove', { body: { providerId }, ...api.changing(null, signal) });
  return listed(await jsonAnswer(api, 'user/ways/remove', sending, List));
};

import * as v from 'valibot';
import type { TypedCode } from '../../../machines/model/account/phone.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { isWebAddress } from './providers.ts';
import { fallbackIfUnsupported } from '../wire/unsupported-call.ts';

const NonEmptyText = v.pipe(v.string(), v.nonEmpty());

/** A provider of a kind that this shop knows; others are left out. */
const KnownProvider = v.object({
  providerId: NonEmptyText,
  kind: v.picklist(['oidc', 'facebook', 'phone']),
  name: NonEmptyText,
  joined: v.optional(v.boolean(), false),
});

const ProviderList = v.object({ providers: v.array(v.unknown()) });

const toOwnProviders = ({ providers }: v.InferOutput<typeof ProviderList>): OwnProvider[] =>
  providers.flatMap((each) => {
    if (!v.is(KnownProvider, each)) return [];
    const { providerId: id, kind, name, joined = false } = each;
    return [{ id, kind, name, isJoined: joined }];
  });

/**
 * The store's sign-in providers, joined to the account or not, in the order shown; empty where the
 * server does not list them.
 */
export const fetchOwnProviders = async (api: Api, signal: AbortSignal): Promise<OwnProvider[]> => {
  const resultPromise = readJsonResponse(
    api,
    'user/ways/providers',
    api.client.GET('/user/ways/providers', api.readOptions(signal)),
    ProviderList,
  );
  return resultPromise.then(toOwnProviders, (error: unknown) => fallbackIfUnsupported<OwnProvider[]>(error, []));
};

const StartResponse = v.object({
  url: v.optional(v.pipe(NonEmptyText, v.check(isWebAddress, 'expected an http(s) address'))),
  state: v.optional(NonEmptyText),
});

/**
 * Starts joining a provider. Returns the provider's address and the state to return with; null for
 * a telephone.
 * @throws Problem `refused`: `sign_in_again` if the sign-in is too old, `provider_unreachable`,
 * `not_found`.
 */
export const startJoining = async (
  api: Api,
  providerId: string,
  signal: AbortSignal,
): Promise<{ url: string; state: string } | null> => {
  const responsePromise = api.client.POST('/user/ways/start', { body: { providerId }, ...api.changeOptions(null, signal) });
  const { url, state } = await readJsonResponse(api, 'user/ways/start', responsePromise, StartResponse);
  return url === undefined || state === undefined ? null : { url, state };
};

/**
 * Completes the joining after the provider has redirected back. An empty `issuer` means that the
 * provider sent none.
 * @throws Problem `refused`: `sign_in_over`, `provider_taken`, `provider_refused`,
 * `provider_unreachable`.
 */
export const joinProvider = async (
  api: Api,
  { state, code, issuer }: { state: string; code: string; issuer: string },
): Promise<object> => {
  const body = { state, code, ...(issuer === '' ? {} : { issuer }) };
  const responsePromise = api.client.POST('/user/ways/join', { body, ...api.changeOptions(null) });
  return readJsonResponse(api, 'user/ways/join', responsePromise, ProviderList);
};

/**
 * Joins a telephone number to the account, by the code that was sent to it.
 * @throws Problem `refused`: `bad_phone`, `code_wrong`, `code_over`, `provider_taken`,
 * `sign_in_again`.
 */
export const joinPhone = async (api: Api, { phone, code, requestId }: TypedCode): Promise<object> => {
  const body = { phone, code, ...(requestId === '' ? {} : { requestId }) };
  const responsePromise = api.client.POST('/user/ways/phone', { body, ...api.changeOptions(null) });
  return readJsonResponse(api, 'user/ways/phone', responsePromise, ProviderList);
};

/**
 * Removes a provider from the account.
 * @returns all providers of the store, as `fetchOwnProviders` does
 * @throws Problem `refused`: `last_way_in`, `sign_in_again`, `not_found`.
 */
export const removeProvider = async (api: Api, providerId: string, signal: AbortSignal): Promise<OwnProvider[]> => {
  const responsePromise = api.client.POST('/user/ways/remove', { body: { providerId }, ...api.changeOptions(null, signal) });
  return toOwnProviders(await readJsonResponse(api, 'user/ways/remove', responsePromise, ProviderList));
};

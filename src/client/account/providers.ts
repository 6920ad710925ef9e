import * as v from 'valibot';
import type { PhoneCodeRequest, TypedCode } from '../../../machines/model/account/phone.ts';
import type { Provider } from '../../../machines/model/account/provider.ts';
import { createDeviceQuery, readIssuedSession, type BrowserDevice, type IssuedSession } from './account.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { validate } from '../wire/problem.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getChildren, getText } from '../wire/xml-node.ts';

const NonEmptyText = v.pipe(v.string(), v.nonEmpty());

const KnownProvider = v.object({ id: NonEmptyText, kind: v.picklist(['oidc', 'facebook', 'phone']), name: NonEmptyText });

const fetchProviderFields = async (api: Api, signal: AbortSignal): Promise<unknown[]> => {
  const root = await readXmlResponse(
    api,
    'user/providers',
    api.client.GET('/user/providers', api.readOptions(signal)),
    'providers',
  );
  return getChildren(root, 'Provider').map((node) => ({
    id: getText(node, 'Id'),
    kind: getText(node, 'Kind')?.toLowerCase(),
    name: getText(node, 'Name'),
  }));
};

/**
 * The store's sign-in providers, in the order shown. Kinds that this shop does not know are left
 * out. Falls back to `/config.json` on a server without the call.
 */
export const fetchProviders = async (api: Api, signal: AbortSignal): Promise<Provider[]> => {
  const candidates = await fetchProviderFields(api, signal).catch((error: unknown) =>
    fallbackIfUnavailable(api, 'user/providers', error, () => api.config.providers ?? []),
  );
  return candidates.filter((each) => v.is(KnownProvider, each));
};

/** Whether an address is http(s): another scheme (`javascript:`) could run in the shop's origin. */
export const isWebAddress = (address: string): boolean => /^https?:$/.test(URL.parse(address)?.protocol ?? '');

const StartResponse = v.object({
  url: v.pipe(NonEmptyText, v.check(isWebAddress, 'expected an http(s) address')),
  state: NonEmptyText,
});

/**
 * Starts a sign-in with a provider. Returns the provider's address and the state to return with.
 * @throws Problem `refused provider_unreachable`, or `not_found` for a provider that the store has
 * removed.
 */
export const startProviderSignIn = async (
  api: Api,
  providerId: string,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof StartResponse>> => {
  const call = 'user/provider/start';
  const responsePromise = api.client.POST('/user/provider/start', {
    params: { query: { appid: api.config.appId } },
    body: { ProviderId: providerId },
    bodySerializer: createXmlSerializer('StartProviderSignIn'),
    ...api.changeOptions(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  const root = await readXmlResponse(api, call, responsePromise, 'providersignin');
  return validate(call, StartResponse, { url: getText(root, 'Url'), state: getText(root, 'State') });
};

/**
 * Completes the sign-in after the provider has redirected back. An empty `issuer` means that the
 * provider sent none.
 * @throws Problem `refused`: `sign_in_over`, `provider_refused`, `provider_unreachable`,
 * `email_unverified`.
 */
export const finishProviderSignIn = (
  api: Api,
  { state, code, issuer }: { state: string; code: string; issuer: string },
  device: BrowserDevice,
): Promise<IssuedSession> => {
  const responsePromise = api.client.POST('/user/provider/finish', {
    params: { query: createDeviceQuery(api, device) },
    body: { State: state, Code: code, ...(issuer === '' ? {} : { Issuer: issuer }) },
    bodySerializer: createXmlSerializer('FinishProviderSignIn'),
    ...api.changeOptions(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  return readIssuedSession(api, 'user/provider/finish', responsePromise);
};

/**
 * Sends a code to a telephone; `sentAt` is the time of an earlier message, where the server reports
 * one. `requestId` is sent along with the code; empty where the server returns none, since the
 * number and the code suffice there.
 * @throws Problem `refused`: `bad_phone`, `phone_kind`, `phone_country`, `phone_country_full`,
 * `message_not_sent`.
 */
export const sendPhoneCode = async (api: Api, phone: string, signal: AbortSignal): Promise<PhoneCodeRequest> => {
  const responsePromise = api.client.POST('/user/phone/code', {
    params: { query: { appid: api.config.appId } },
    body: { Phone: phone },
    bodySerializer: createXmlSerializer('SendPhoneCode'),
    ...api.changeOptions(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  const root = await readXmlResponse(api, 'user/phone/code', responsePromise, 'result');
  const sentAt = getText(root, 'SentAt') ?? '';
  return {
    sentAt: Number.isNaN(Date.parse(sentAt)) ? null : sentAt,
    pii: { requestId: getText(root, 'RequestId') ?? '' },
  };
};

/**
 * Signs in by the code that was sent to a telephone.
 * @throws Problem `refused`: `code_wrong`, `code_over`.
 */
export const signInByPhone = (api: Api, { phone, code, requestId }: TypedCode, device: BrowserDevice): Promise<IssuedSession> => {
  const responsePromise = api.client.POST('/user/phone/signin', {
    params: { query: createDeviceQuery(api, device) },
    body: { Phone: phone, Code: code, ...(requestId === '' ? {} : { RequestId: requestId }) },
    bodySerializer: createXmlSerializer('PhoneSignIn'),
    ...api.changeOptions(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  return readIssuedSession(api, 'user/phone/signin', responsePromise);
};

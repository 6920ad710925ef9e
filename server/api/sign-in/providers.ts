import { hasOpenQuestions } from '../../accounts/custom-fields.ts';
import { providerReturnPath } from '../../../machines/model/paths.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { findOrCreateAccount } from '../../providers/find-or-create-account.ts';
import { savePendingSignIn, consumePendingSignIn } from '../../providers/pending-sign-ins.ts';
import { findProvider, type Person } from '../../providers/provider.ts';
import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { countSignUp, limitCaller } from '../calls/limits.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { checkApplication, openSession, type VerifiedCredential } from './sign-in.ts';

/** Returns the store's identity providers. */
export async function providers({ services, store }: Call<'providers'>): Answer<'providers'> {
  const rows = await services.db
    .selectFrom('providers')
    .select(['id', 'kind', 'name'])
    .where('store_id', '=', store.id)
    .orderBy('position')
    .execute();
  return renderElement(
    'Providers',
    rows.map(({ id, kind, name }) => renderElement('Provider', [renderFields({ Id: id, Kind: kind, Name: name })])),
  );
}

/**
 * Returns the store's redirect URL, normalised as in browsers: providers compare it character by
 * character.
 */
export const getReturnUrl = ({ services, store, request }: Call): string =>
  new URL(providerReturnPath, getStoreOrigin(store, request, services.config)).href;

/**
 * Starts a sign-in by a provider: returns the provider's URL for the browser, and the state that
 * the browser brings back.
 */
export async function startProviderSignIn(call: Call<'startProviderSignIn'>): Answer<'startProviderSignIn'> {
  const { services, store, query, body } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const provider = await findProvider(services.db, store.id, body.ProviderId);
  if (!provider || provider.kind === 'phone') throw notFound('provider');
  const { url, startedSignIn } = await services.providers.begin(provider, getReturnUrl(call));
  await savePendingSignIn(services.db, store.id, provider.id, startedSignIn);
  return renderElement('ProviderSignIn', [renderFields({ Url: url, State: startedSignIn.state })]);
}

export const signInOverError = (): DomainError =>
  new DomainError('conflict', 'This sign-in has been finished, or was begun too long ago.', { code: 'sign_in_over' });

/** Returns the credential of a customer whom a provider, or a telephone, has authenticated. */
const toVerifiedCredential = ({ issuer, subject }: Person, userId: string): VerifiedCredential => ({
  userId,
  credential: { kind: 'identity', issuer, subject },
  createInvalidError: signInOverError,
});

/** Opens a session for an authenticated person; a person without an account gets one. */
export async function openSessionOfPerson(call: Call<'finishProviderSignIn' | 'signInByPhone'>, person: Person): Promise<Markup> {
  const { services, store, request, query, spoken } = call;
  const signInContext = {
    storeId: store.id,
    language: spoken.language,
    origin: getStoreOrigin(store, request, services.config),
    ipAddress: request.ip,
    countNew: () => countSignUp(call),
  };
  const user = await findOrCreateAccount(services.db, signInContext, person);
  return openSession(call, toVerifiedCredential(person, user.id), query, await hasOpenQuestions(services.db, store.id, user.id));
}

/** Signs in the customer whom the provider has authenticated, once for each started sign-in. */
export async function finishProviderSignIn(call: Call<'finishProviderSignIn'>): Answer<'finishProviderSignIn'> {
  const { services, store, query, body } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const pendingSignIn = await consumePendingSignIn(services.db, store.id, body.State);
  const provider = pendingSignIn && (await findProvider(services.db, store.id, pendingSignIn.providerId));
  if (!pendingSignIn || !provider) throw signInOverError();
  const person = await services.providers.finish(provider, pendingSignIn.startedSignIn, { code: body.Code, issuer: body.Issuer });
  return openSessionOfPerson(call, person);
}

import { accountMachine } from '../../../machines/account/account.ts';
import { cardsMachine } from '../../../machines/account/cards.ts';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import { creditsMachine } from '../../../machines/account/credits.ts';
import { dataDownloadMachine } from '../../../machines/account/data-download.ts';
import { deletionMachine } from '../../../machines/account/deletion.ts';
import { detailsMachine } from '../../../machines/account/details.ts';
import { ownProvidersMachine } from '../../../machines/account/own-providers.ts';
import { phoneMachine, type CodeRequest, type CodeSignIn } from '../../../machines/account/phone.ts';
import { passkeysMachine } from '../../../machines/account/passkeys.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { giftsMachine, type GiftToSend } from '../../../machines/account/gifts.ts';
import { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import type { AddedCard, Card, CardForm } from '../../../machines/model/buying/card.ts';
import type { SignInResult, SignedInUser } from '../../../machines/app/session.ts';
import type { Details, DetailsForm } from '../../../machines/model/account/details.ts';
import type { Device } from '../../../machines/model/account/device.ts';
import type { GivenGift } from '../../../machines/model/buying/gift.ts';
import type { NewEmail, OwnPassword, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys } from '../../../machines/model/account/passkey.ts';
import type { PurchaseRecord } from '../../../machines/model/buying/purchase.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import type { CreditBalance, HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { signIn } from '../../client/account/account.ts';
import type { Api } from '../../client/wire/client.ts';
import {
  addCard,
  fetchCards,
  startCardSession,
  setDefaultCard,
  deleteCard,
  createTypedCards,
} from '../../client/payment/cards.ts';
import { creditsChanged } from '../../client/subscription/credits-changed.ts';
import { fetchCreditBalance } from '../../client/subscription/credits.ts';
import { deleteAccount } from '../../client/account/delete-account.ts';
import { saveDetails, saveEmail, savePassword, fetchUserDetails } from '../../client/account/details.ts';
import { removeDevice, fetchDevices } from '../../client/account/devices.ts';
import { resendGift, fetchGifts } from '../../client/payment/gifts.ts';
import { fetchPurchaseRecords } from '../../client/library/library.ts';
import { joinPhone, fetchOwnProviders, removeProvider, startJoining } from '../../client/account/own-providers.ts';
import { sendPhoneCode } from '../../client/account/providers.ts';
import type { PhoneCodeRequest } from '../../../machines/model/account/phone.ts';
import { accountPath } from '../../../machines/model/paths.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import { createSecretAddresses } from '../../history/secret-addresses.ts';
import { savePendingSignIn } from '../../shell/ports/leave-for-provider.ts';
import { addPasskey, canUsePasskeys, removePasskey, renamePasskey, fetchPasskeys } from '../../client/account/passkeys.ts';
import {
  cancelSubscription,
  fetchPortalPage,
  fetchSubscription,
  resumeSubscription,
} from '../../client/subscription/own-subscription.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { requireForm, getThisDevice } from '../../client/account/start-session.ts';
import { fallbackIfUnsupported } from '../../client/wire/unsupported-call.ts';
import { fetchUserData } from '../../client/account/user-data.ts';
import { hasPassword } from '../../client/account/has-password.ts';
import { saveFile } from '../../storage/save-file.ts';
import { saveCustomer } from '../../storage/name-customer.ts';
import { clearAccount, getStoredCustomer } from '../../storage/session-storage.ts';
import { addReturnedCard } from './returned-card.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api, scoped, token }: AppEnvironment) => {
  /**
   * Whether the account has a password. If the call fails, the form has a password field; the
   * server then refuses the change of a customer without a password.
   */
  const hasPasswordPort = safePort<boolean>(
    async ({ signal }) => hasPassword(await api(), signal),
    () => true,
  );

  /**
   * Returns the token of a new sign-in with the password; without a password, the session's token,
   * whose age the server checks.
   */
  const createFreshToken = async (shop: Api, { password }: OwnPassword) => {
    if (password === undefined) return { token: token() ?? '', isSession: true };
    const email = getStoredCustomer()?.pii.email ?? '';
    const session = await signIn(shop, { email, password }, getThisDevice());
    return { token: session.token, isSession: false };
  };

  return accountMachine.provide({
    actors: {
      purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => fetchPurchaseRecords(await api(), signal)),
      details: detailsMachine.provide({
        actors: {
          loadDetails: requestPort<Details>(async ({ signal }) => fetchUserDetails(await api(), signal)),
          saveDetails: requestPort<object, { pii: { form: DetailsForm | null } }>(async ({ input, signal }) =>
            saveDetails(await api(), requireForm(input.pii.form), signal),
          ),
        },
      }),
      credentials: credentialsMachine.provide({
        actors: {
          hasPassword: hasPasswordPort,
          saveEmail: requestPort<SignedInUser, { pii: { form: NewEmail | null } }>(async ({ input, signal }) => {
            const form = requireForm(input.pii.form);
            await saveEmail(await api(), form, signal);
            return saveCustomer({ userId: getStoredCustomer()?.userId ?? '', pii: { email: form.email } });
          }),
          savePassword: requestPort<object, { pii: { form: PasswordChangeForm | null } }>(async ({ input, signal }) =>
            savePassword(await api(), requireForm(input.pii.form), signal),
          ),
        },
      }),
      ownProviders: ownProvidersMachine.provide({
        actors: {
          loadProviders: requestPort<OwnProvider[]>(async ({ signal }) => fetchOwnProviders(await api(), signal)),
          startJoining: requestPort<string | null, { providerId: string }>(async ({ input, signal }) => {
            const pendingSignIn = await startJoining(await api(), input.providerId, signal);
            // A customer who has left the screen in the meantime stays in the shop.
            signal.throwIfAborted();
            return (
              pendingSignIn &&
              savePendingSignIn(scoped(createSecretAddresses), pendingSignIn, {
                joins: true,
                remember: true,
                way: { path: accountPath('ways'), action: null },
              })
            );
          }),
          phone: phoneMachine.provide({
            actors: {
              sendCode: requestPort<PhoneCodeRequest, CodeRequest>(async ({ input, signal }) =>
                sendPhoneCode(await api(), input.pii.phone, signal),
              ),
              signInByCode: requestPort<SignInResult, CodeSignIn>(async ({ input }) => {
                await joinPhone(await api(), input.pii);
                return getStoredCustomer() ?? throwProblem({ kind: 'unauthorized' });
              }),
            },
          }),
          removeProvider: requestPort<OwnProvider[], { providerId: string }>(async ({ input, signal }) =>
            removeProvider(await api(), input.providerId, signal),
          ),
        },
      }),
      passkeys: passkeysMachine.provide({
        actors: {
          loadPasskeys: requestPort<Passkeys | null>(async ({ signal }) =>
            fetchPasskeys(await api(), signal).then(
              (passkeys) => ({ passkeys, canAdd: canUsePasskeys() }),
              (error: unknown) => fallbackIfUnsupported(error, null),
            ),
          ),
          addPasskey: requestPort<AddedPasskey>(async ({ signal }) => addPasskey(await api(), getThisDevice().name, signal)),
          renamePasskey: requestPort<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>(
            async ({ input, signal }) => renamePasskey(await api(), input.passkeyId, requireForm(input.pii.form).name, signal),
          ),
          removePasskey: requestPort<Passkey[], { passkeyId: string }>(async ({ input, signal }) =>
            removePasskey(await api(), input.passkeyId, signal),
          ),
        },
      }),
      gifts: giftsMachine.provide({
        actors: {
          loadGifts: requestPort<GivenGift[] | null>(async ({ signal }) =>
            fetchGifts(await api(), signal).catch((error: unknown) => fallbackIfUnsupported(error, null)),
          ),
          sendGift: requestPort<GivenGift, GiftToSend>(async ({ input: { giftId, pii }, signal }) =>
            resendGift(await api(), { giftId, email: pii.form?.email ?? null }, signal),
          ),
        },
      }),
      ownSubscription: ownSubscriptionMachine.provide({
        actors: {
          loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => fetchSubscription(await api(), signal)),
          cancelSubscription: requestPort<object>(async ({ signal }) => cancelSubscription(await api(), signal)),
          resumeSubscription: requestPort<object>(async ({ signal }) => resumeSubscription(await api(), signal)),
          openPortal: requestPort<{ url: string }>(async ({ signal }) => fetchPortalPage(await api(), signal)),
        },
      }),
      credits: creditsMachine.provide({
        actors: {
          loadCredits: requestPort<CreditBalance>(async ({ signal }) => {
            const balance = await fetchCreditBalance(await api(), signal);
            // The panel and the top bar must show the same number.
            scoped(creditsChanged).emit();
            return balance;
          }),
        },
      }),
      dataDownload: dataDownloadMachine.provide({
        actors: {
          saveData: requestPort<object>(async ({ signal }) => {
            const data = await fetchUserData(await api(), signal);
            signal.throwIfAborted();
            saveFile('my-data', data);
            return {};
          }),
        },
      }),
      deletion: deletionMachine.provide({
        actors: {
          hasPassword: hasPasswordPort,
          deleteAccount: requestPort<object, { pii: { form: OwnPassword | null } }>(async ({ input, signal }) => {
            const shop = await api();
            const freshToken = await createFreshToken(shop, requireForm(input.pii.form));
            signal.throwIfAborted();
            await deleteAccount(shop, freshToken, signal);
            // This also notifies other tabs.
            clearAccount();
            return {};
          }),
        },
      }),
      cards: cardsMachine.provide({
        actors: {
          addCard: requestPort<AddedCard | null>(({ signal }) =>
            addReturnedCard(async (cardToken) => addCard(await api(), cardToken, signal)),
          ),
          addCardAgain: requestPort<AddedCard>(
            async ({ signal }) =>
              (await addReturnedCard(async (cardToken) => addCard(await api(), cardToken, signal))) ??
              throwProblem({ kind: 'refused', code: 'card_over', message: '' }),
          ),
          loadCards: requestPort<Card[]>(async ({ signal }) => fetchCards(await api(), signal)),
          startCard: requestPort<{ url: string | null }>(async ({ signal }) => startCardSession(await api(), signal)),
          sendCard: requestPort<AddedCard, { pii: { form: CardForm | null } }>(async ({ input, signal }) =>
            scoped(createTypedCards).add(await api(), requireForm(input.pii.form), signal),
          ),
          changeDefault: requestPort<Card[], { cardId: string }>(async ({ input, signal }) =>
            setDefaultCard(await api(), input.cardId, signal),
          ),
          removeCard: requestPort<Card[], { cardId: string }>(async ({ input, signal }) =>
            deleteCard(await api(), input.cardId, signal),
          ),
        },
      }),
      devices: devicesMachine.provide({
        actors: {
          loadDevices: requestPort<Device[]>(async ({ signal }) => fetchDevices(await api(), getThisDevice().id, signal)),
          removeDevice: requestPort<object, { deviceId: string }>(async ({ input, signal }) =>
            removeDevice(await api(), input.deviceId, signal),
          ),
        },
      }),
    },
  });
};

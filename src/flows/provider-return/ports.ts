import { providerReturnMachine, type PendingSignIn } from '../../../machines/account/provider-return.ts';
import type { SignInResult } from '../../../machines/app/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { joinProvider } from '../../client/account/own-providers.ts';
import { finishProviderSignIn } from '../../client/account/providers.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { startSession, getThisDevice } from '../../client/account/start-session.ts';
import { readProviderAnswer, type ProviderAnswer } from '../../history/answer-in-address.ts';
import { createSecretAddresses } from '../../history/secret-addresses.ts';
import { consumeStartedSignIn, type StartedSignIn } from '../../storage/started-sign-in.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

const throwRefusal = (code: string): never => throwProblem({ kind: 'refused', code, message: '' });

type ProviderReturn = { answer: ProviderAnswer; startedSignIn: StartedSignIn };

/** Stores the provider's answer to a sign-in of this tab, until a port uses it, once. */
const createReturnStore = () => {
  let storedReturn: ProviderReturn | null = null;
  return {
    keep: (newReturn: ProviderReturn | null): void => void (storedReturn = newReturn),
    /** @throws Problem for the provider's refusal, or for a missing answer */
    consume: (): ProviderReturn => {
      const providerReturn = storedReturn;
      storedReturn = null;
      if (providerReturn === null) return throwRefusal('sign_in_over');
      if (providerReturn.answer.error === 'access_denied') return throwRefusal('provider_cancelled');
      if (providerReturn.answer.error !== '' || providerReturn.answer.code === '') return throwRefusal('provider_refused');
      return providerReturn;
    },
  };
};

export const flow = ({ api, scoped }: AppEnvironment) =>
  providerReturnMachine.provide({
    actors: {
      consumeAnswer: safePort<PendingSignIn | null>(
        async () => {
          const answer = readProviderAnswer();
          // Only an answer to this tab's own sign-in is accepted: a forged one would sign the
          // customer in to an attacker's account (login CSRF).
          const startedSignIn = consumeStartedSignIn(answer.state);
          scoped(createReturnStore).keep(startedSignIn && { answer, startedSignIn });
          if (startedSignIn?.wholePath !== undefined)
            scoped(createSecretAddresses).registerSecret(startedSignIn.way.path, startedSignIn.wholePath);
          return startedSignIn && (startedSignIn.joins === true ? { ...startedSignIn.way, joins: true } : startedSignIn.way);
        },
        () => null,
      ),
      finishSignIn: requestPort<SignInResult>(async ({ signal }) => {
        const { answer, startedSignIn } = scoped(createReturnStore).consume();
        const session = await finishProviderSignIn(await api(), answer, getThisDevice());
        // A visitor who has left the screen in the meantime stays signed out.
        signal.throwIfAborted();
        return startSession(session, startedSignIn.remember);
      }),
      joinProvider: requestPort<object>(async () => joinProvider(await api(), scoped(createReturnStore).consume().answer)),
    },
  });

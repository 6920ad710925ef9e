import type { I18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ReactElement, useMemo } from 'react';
import { Router } from 'wouter';
import type { appMachine } from '../../../machines/app/app.ts';
import { FailureFoot } from '../../ui/Message.tsx';
import { UiProvider } from '../../ui/UiProvider.tsx';
import { AppActorContext, useAppActor, useMachineLocation, useMachineSearch, type AppActor } from '../../views/app-actor.ts';
import { InvalidScreen } from './InvalidScreen.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { SaveRecord, SaveRecordContext } from '../../views/SaveRecord.tsx';
import { LoadBoundary } from './LoadBoundary.tsx';
import { OpeningScreen } from './OpeningScreen.tsx';
import { createFocusTaker } from '../../views/take-focus.ts';
import { OpenShop, ScreenMarkContext } from './OpenShop.tsx';

const screens: Screens<typeof appMachine> = {
  opening: OpeningScreen,
  invalid: InvalidScreen,
  open: OpenShop,
};

const Shop = (): ReactElement => <FlowScreen flow="app" actor={useAppActor()} screens={screens} />;

const failureFoot = <SaveRecord />;

/** The router asks the app's machine where it is; named here because a component may not hand hooks around. */
const byMachine = { hook: useMachineLocation, searchHook: useMachineSearch };

const nobody = (): void => {};

type AppProps = {
  actor: AppActor;
  i18n: I18n;
  saveRecord: () => void;
  /** Is called when the first screen stands. */
  stands?: () => void;
};

/** The shop on the screen, as its machine's state says, translated by `i18n`. */
export const App = ({ actor, i18n, saveRecord, stands = nobody }: AppProps): ReactElement => {
  const takeFocus = useMemo(() => createFocusTaker(stands), [stands]);
  return (
    <AppActorContext value={actor}>
      <SaveRecordContext value={saveRecord}>
        <ScreenMarkContext value={takeFocus}>
          <I18nProvider i18n={i18n}>
            <UiProvider>
              <Router {...byMachine}>
                <FailureFoot value={failureFoot}>
                  <LoadBoundary>
                    <Shop />
                  </LoadBoundary>
                </FailureFoot>
              </Router>
            </UiProvider>
          </I18nProvider>
        </ScreenMarkContext>
      </SaveRecordContext>
    </AppActorContext>
  );
};

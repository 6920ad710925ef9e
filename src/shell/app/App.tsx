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

/**
 * The router reads the location from the app's machine; defined here because a component must not
 * pass hooks around.
 */
const machineRouterHooks = { hook: useMachineLocation, searchHook: useMachineSearch };

const ignoreFirstScreen = (): void => {};

type AppProps = {
  actor: AppActor;
  i18n: I18n;
  saveRecord: () => void;
  /** Called when the first screen is shown. */
  onFirstScreen?: () => void;
};

/** The shop, rendered from its machine's state and translated by `i18n`. */
export const App = ({ actor, i18n, saveRecord, onFirstScreen = ignoreFirstScreen }: AppProps): ReactElement => {
  const takeFocus = useMemo(() => createFocusTaker(onFirstScreen), [onFirstScreen]);
  return (
    <AppActorContext value={actor}>
      <SaveRecordContext value={saveRecord}>
        <ScreenMarkContext value={takeFocus}>
          <I18nProvider i18n={i18n}>
            <UiProvider>
              <Router {...machineRouterHooks}>
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

import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate';
import { useBrand } from '../../brand/BrandProvider.tsx';
import type { FlowName } from '../../../machines/flows/registry.ts';
import { translateRouteName } from '../../../machines/flows/routes.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { useApp } from '../../views/app-actor.ts';
import { getScreens } from './flow-screens.ts';

/**
 * The page's name, in the window's title and the browser's history; announced to screen readers
 * when it changes.
 */
export const PageTitle = ({ flow, actor }: { flow: FlowName; actor: AnyActorRef }): ReactElement => {
  const { i18n } = useLingui();
  const brand = useBrand();
  const path = useApp(({ route }) => route?.path ?? '/');
  const name = useSelector(actor, ({ context, value }: AnyMachineSnapshot) =>
    getScreens(flow).pageName(context as never, brand, value as StateValue),
  );
  const flowName = name !== null && typeof name === 'object' ? i18n._(name) : (name ?? translateRouteName(i18n, path));
  const windowTitle = flowName === undefined ? brand.name : `${flowName} · ${brand.name}`;
  return (
    <>
      <title>{windowTitle}</title>
      <VisuallyHidden aria-live="polite">{windowTitle}</VisuallyHidden>
    </>
  );
};

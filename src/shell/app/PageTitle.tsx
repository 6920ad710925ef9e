import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate';
import { useBrand } from '../../brand/BrandProvider.tsx';
import type { FlowName } from '../../../machines/flows/registry.ts';
import { nameIn } from '../../../machines/flows/routes.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { useApp } from '../../views/app-actor.ts';
import { keptOf } from './flow-screens.ts';

/** The page's name, in the window's title and the customer's history; said aloud when it changes. */
export const PageTitle = ({ flow, actor }: { flow: FlowName; actor: AnyActorRef }): ReactElement => {
  const { i18n } = useLingui();
  const brand = useBrand();
  const path = useApp(({ route }) => route?.path ?? '/');
  const name = useSelector(actor, ({ context, value }: AnyMachineSnapshot) =>
    keptOf(flow).pageName(context as never, brand, value as StateValue),
  );
  const own = name !== null && typeof name === 'object' ? i18n._(name) : (name ?? nameIn(i18n, path));
  const whole = own === undefined ? brand.name : `${own} · ${brand.name}`;
  return (
    <>
      <title>{whole}</title>
      <VisuallyHidden aria-live="polite">{whole}</VisuallyHidden>
    </>
  );
};

import { useLingui } from '@lingui/react';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate';
import type { FlowName } from '../../../machines/model/route.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Unseen } from '../../ui/Unseen.ts';
import { keptOf } from './flow-screens.ts';

/** The page's name, in the window's title and the customer's history; said aloud when it changes. */
export const PageTitle = ({ flow, actor }: { flow: FlowName; actor: AnyActorRef }): ReactElement => {
  const { i18n } = useLingui();
  const brand = useBrand();
  const name = useSelector(actor, ({ context, value }: AnyMachineSnapshot) =>
    keptOf(flow).pageName(context as never, brand, value as StateValue),
  );
  const own = name !== null && typeof name === 'object' ? i18n._(name) : name;
  const whole = own === null ? brand.name : `${own} · ${brand.name}`;
  return (
    <>
      <title>{whole}</title>
      <Unseen aria-live="polite">{whole}</Unseen>
    </>
  );
};

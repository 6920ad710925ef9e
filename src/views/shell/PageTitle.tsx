import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { FlowName } from '../../../machines/model/route.ts';
import type { ListType } from '../../../machines/model/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Unseen } from '../../ui/Unseen.ts';
import { useApp } from '../app-actor.ts';

type Named = { title?: { name?: string } | null; page?: { categoryName?: string | null } | null };

/** The name of the thing shown, where the flow has one: a title's, or a category's. */
const nameIn = (snapshot: AnyMachineSnapshot): string | null => {
  const { title, page } = snapshot.context as Named;
  return title?.name ?? page?.categoryName ?? null;
};

/** The page's name, in the window's title and the customer's history; said aloud when it changes. */
export const PageTitle = ({ flow, actor }: { flow: FlowName; actor: AnyActorRef }): ReactElement => {
  const { t } = useLingui();
  const brand = useBrand();
  const page = useApp(({ route }) => route?.params['page']);
  const list = useApp(({ route }) => (route?.params['type'] ?? 'all') as ListType);
  const name = useSelector(actor, nameIn);
  const informationNames: Record<string, string> = { about: t`About`, terms: t`Terms`, privacy: t`Privacy` };
  const names: Record<FlowName, string | null> = {
    landing: null,
    catalogue: name ?? brand.listTexts[list],
    title: name,
    signIn: t`Sign in`,
    signUp: t`Create an account`,
    checkout: t`Your purchase`,
    receipt: t`Thank you`,
    library: t`My Library`,
    viewer: name ?? t`Reading`,
    information: informationNames[page ?? ''] ?? null,
    notFound: t`Page not found`,
  };
  const own = names[flow];
  const whole = own === null ? brand.name : `${own} · ${brand.name}`;
  return (
    <>
      <title>{whole}</title>
      <Unseen aria-live="polite">{whole}</Unseen>
    </>
  );
};

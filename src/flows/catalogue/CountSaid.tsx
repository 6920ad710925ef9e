import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { facetsOf, useTotal } from './use-facets.ts';
import { stateAttributes } from '../../views/state-name.ts';

/** Says how many titles there are, once the list has come to rest. */
export const CountSaid = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const facets = facetsOf(actor);
  const value = useSelector(facets, (snapshot) => snapshot.value);
  const total = useTotal(actor);
  return (
    <VisuallyHidden role="status" {...stateAttributes('facets', value)}>
      {value.saying === 'said' && total !== null ? t`${plural(total, { one: '# title', other: '# titles' })}` : ''}
    </VisuallyHidden>
  );
};

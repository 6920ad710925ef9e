import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { getFacetsActor, useTotal } from './use-facets.ts';
import { getStateAttributes } from '../../views/state-name.ts';

/** Announces the number of titles to screen readers once the list has settled. */
export const TitleCount = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const facets = getFacetsActor(actor);
  const value = useSelector(facets, (snapshot) => snapshot.value);
  const total = useTotal(actor);
  return (
    <VisuallyHidden role="status" {...getStateAttributes('facets', value)}>
      {value.announcement === 'announced' && total !== null ? t`${plural(total, { one: '# title', other: '# titles' })}` : ''}
    </VisuallyHidden>
  );
};

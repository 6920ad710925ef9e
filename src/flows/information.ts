import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ContextFrom } from 'xstate';
import type { informationMachine } from '../../machines/still.ts';
import type { PageName } from '../views/page-name.ts';

export { informationMachine as flow } from '../../machines/still.ts';
export { InformationView as Screens } from '../views/information/InformationView.tsx';

const names: Record<string, MessageDescriptor> = { about: msg`About`, terms: msg`Terms`, privacy: msg`Privacy` };

export const pageName: PageName<ContextFrom<typeof informationMachine>> = ({ params }) => names[params['page'] ?? ''] ?? null;

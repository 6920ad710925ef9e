import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import { contentPageMachine, type ContentPageReference } from '../../../machines/browsing/content-page.ts';
import { requestPort } from '../../../machines/ports.ts';
import { contentPage } from './calls.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api }: World) =>
  contentPageMachine.provide({
    actors: {
      page: requestPort<ContentPage, ContentPageReference>(async ({ input, signal }) =>
        contentPage(await api(), input.page, signal),
      ),
    },
  });

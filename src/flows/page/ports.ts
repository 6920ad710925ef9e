import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import { contentPageMachine, type ContentPageReference } from '../../../machines/browsing/content-page.ts';
import { requestPort } from '../../../machines/ports.ts';
import { fetchContentPage } from './calls.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';

export const flow = ({ api }: AppEnvironment) =>
  contentPageMachine.provide({
    actors: {
      page: requestPort<ContentPage, ContentPageReference>(async ({ input, signal }) =>
        fetchContentPage(await api(), input.page, signal),
      ),
    },
  });

import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const notFound = defineFlow({
  name: 'notFound',
  machine: 'browsing/static-pages',
  painted: true,
  reads: [],
  routes: [
    {
      pattern: '/{page:404}',
      name: {
        en: 'Page not found',
        zh: '找不到页面',
        es: 'Página no encontrada',
        fr: 'Page introuvable',
        it: 'Pagina non trovata',
      },
      spec: ['S2./404'],
      examples: ['/404'],
    },
    {
      pattern: '/{page:500}',
      name: {
        en: 'Internal Server Error',
        zh: '服务器内部错误',
        es: 'Error interno del servidor',
        fr: 'Erreur interne du serveur',
        it: 'Errore interno del server',
      },
      spec: ['S2./500'],
      examples: ['/500'],
    },
  ],
});

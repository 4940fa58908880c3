// A client of functions, and handlers for MSW beside it, in which pages are developed without any server.
export default {
  service: {
    input: 'openapi.json',
    output: {
      target: 'generated/orval/service.ts',
      baseUrl: { getBaseUrlFromSpecification: true },
      client: 'fetch',
      mode: 'split',
      mock: true,
    },
  },
};

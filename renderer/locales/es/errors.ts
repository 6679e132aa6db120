/** Every error code as what happened and what to do; and the faults of single fields. */
export const errors = {
  errors: {
    offline: {
      title: 'Sello no responde',
      next: 'Comprueba que sigue abierto y reinténtalo. Tus datos están bien.',
    },
    malformed_request: {
      title: 'La petición no se entiende',
      next: 'Vuelve a intentarlo; si se repite, cuéntanos qué hacías.',
    },
    unauthorized: { title: 'Esta ventana ya no tiene permiso', next: 'Ábrela otra vez desde Sello.' },
    scope_missing: {
      title: 'La clave no tiene permiso para esto',
      next: 'Usa otra clave o crea una en Conexiones.',
    },
    host_not_allowed: { title: 'La dirección no es la de este Sello', next: 'Ábrela desde Sello.' },
    origin_not_allowed: { title: 'Otra página no puede hablar con Sello', next: 'Ábrela desde Sello.' },
    not_found: {
      title: 'Eso ya no está',
      next: 'Puede haberse borrado o ser de otro libro. Vuelve a la lista.',
    },
    method_not_allowed: {
      title: 'La petición no es válida',
      next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
    },
    version_conflict: {
      title: 'Esto cambió en otro sitio',
      next: 'Mira los cambios y vuelve a guardar los tuyos.',
    },
    idempotency_in_progress: {
      title: 'La misma petición sigue en marcha',
      next: 'Espera un segundo y reinténtalo.',
    },
    gone: { title: 'Esa dirección ya no existe', next: 'Usa la nueva, que está en Conexiones.' },
    payload_too_large: { title: 'Es demasiado grande', next: 'Quita algo y vuelve a intentarlo.' },
    unsupported_media_type: {
      title: 'El formato no es válido',
      next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
    },
    validation_failed: { title: 'Hay datos por corregir', next: 'Revisa los campos señalados.' },
    idempotency_mismatch: { title: 'La petición se repitió con otros datos', next: 'Vuelve a intentarlo.' },
    confirmation_required: { title: 'Falta revisar antes de emitir', next: 'Revisa la factura y confirma.' },
    rate_limited: { title: 'Demasiadas peticiones seguidas', next: 'Espera unos segundos y reinténtalo.' },
    internal: {
      title: 'Algo ha fallado en Sello',
      next: 'No es culpa tuya y tus datos están bien. Reinténtalo; si se repite, manda los detalles.',
    },
    store_readonly: {
      title: 'Ahora mismo solo se puede leer',
      next: 'Mira si el disco está lleno y reinténtalo.',
    },
    invoice_not_draft: {
      title: 'La factura ya está emitida',
      next: 'Para corregirla, haz una rectificativa.',
    },
    invoice_invalid: {
      title: 'Todavía no se puede emitir',
      next: 'Corrige lo señalado y revísala otra vez.',
    },
    invoice_number_ambiguous: {
      title: 'Hay más de una factura con ese número',
      next: 'Ábrela desde la lista.',
    },
    confirmation_invalid: { title: 'La revisión no vale para esta factura', next: 'Revísala otra vez.' },
    confirmation_expired: { title: 'La revisión ha caducado', next: 'Revísala otra vez; dura diez minutos.' },
    confirmation_stale: { title: 'Algo ha cambiado mientras lo revisabas', next: 'Míralo otra vez.' },
    confirmation_used: { title: 'Esa revisión ya se usó', next: 'Mira la factura: se emitió con ella.' },
    approval_pending: { title: 'Espera tu aprobación', next: 'Decídelo en la Bandeja.' },
    approval_denied: { title: 'La rechazaste', next: 'Cambia lo que haga falta y revísala otra vez.' },
    approval_unavailable: { title: 'Nadie puede aprobarla ahora', next: 'Abre Sello y vuelve a pedirlo.' },
    certificate_missing: {
      title: 'Falta el certificado de la empresa',
      next: 'Impórtalo en Ajustes: la primera emisión en el libro real lo necesita.',
    },
    producer_missing: {
      title: 'Faltan los datos del productor del programa',
      next: 'Sin ellos no se emite en el libro real; el de pruebas funciona.',
    },
    invoice_not_issued: {
      title: 'Todavía es un borrador',
      next: 'Cámbialo o bórralo sin más: no hay nada registrado.',
    },
    registry_pending: {
      title: 'La AEAT aún no ha contestado sobre esta factura',
      next: 'Espera su respuesta, que Sello pide solo, y reinténtalo.',
    },
    restored_copy: {
      title: 'Estos libros son una copia antigua',
      next: 'Empieza una instalación nueva en Registro AEAT antes de emitir.',
    },
    series_in_conflict: {
      title: 'Otro programa ha usado números de esta serie',
      next: 'Decide en Registro AEAT cuál vale, o emite en otra serie.',
    },
    registry_unreachable: {
      title: 'La AEAT no se puede consultar ahora',
      next: 'Comprueba la conexión y reinténtalo.',
    },
    record_open: {
      title: 'Ese registro todavía espera respuesta',
      next: 'Cuando la tenga podrás darlo por resuelto.',
    },
    environment_fixed: {
      title: 'El destino ya no se puede cambiar',
      next: 'Lo fijó la primera factura. Para usar el otro, crea los libros en otra carpeta.',
    },
    nothing_to_export: { title: 'Ese año no tiene registros', next: 'Elige otro.' },
    certificate_password: {
      title: 'La contraseña no abre el archivo',
      next: 'Es la que se puso al exportarlo; distingue mayúsculas.',
    },
    certificate_invalid: {
      title: 'El archivo no trae un certificado con su clave privada',
      next: 'Expórtalo otra vez con la clave privada (.p12 o .pfx) y elige ese.',
    },
    certificate_expired: {
      title: 'El certificado no está en vigor',
      next: 'Renuévalo con quien lo emitió e importa el nuevo.',
    },
    certificate_other_holder: {
      title: 'El certificado es de otra empresa',
      next: 'Importa el de esta: el de su representante o su sello.',
    },
    daily_cap_reached: {
      title: 'La clave ha llegado a su tope de hoy',
      next: 'Espera a mañana o sube el tope.',
    },
    chain_broken: {
      title: 'La cadena de registros no cuadra',
      next: 'No se emite nada hasta resolverlo. Abre Registro AEAT.',
    },
    clock_wrong: {
      title: 'El reloj de este equipo no está en hora',
      next: 'Ponlo en hora, o acepta la diferencia en Registro AEAT.',
    },
    series_wrong_kind: { title: 'Esa serie es de otra clase de factura', next: 'Elige otra serie.' },
    company_exists: { title: 'Esa empresa ya está en Sello', next: 'Elígela en el menú de libros.' },
    territory_not_supported: {
      title: 'Sello todavía no sirve para ese territorio',
      next: 'En el País Vasco y Navarra hay otro sistema; en Canarias, Ceuta y Melilla, otro impuesto. Busca un programa que los lleve.',
    },
    sii_not_supported: { title: 'Con el SII no te hace falta Sello', next: 'Sigue con tu programa del SII.' },
    contact_in_use: { title: 'Hay borradores con este contacto', next: 'Cámbialos o bórralos antes.' },
    key_name_taken: { title: 'Ya hay una clave con ese nombre', next: 'Elige otro.' },
    key_too_wide: {
      title: 'Una clave no puede crear otra más amplia',
      next: 'Pide menos permisos o topes más bajos.',
    },
    proposals_full: { title: 'Hay demasiadas propuestas sin decidir', next: 'Decide algunas en la Bandeja.' },
    store_in_use: { title: 'Otro Sello está usando estos datos', next: 'Cierra el otro y reinténtalo.' },
    store_missing: { title: 'No hay datos en esa carpeta', next: 'Revisa la carpeta.' },
    store_newer: {
      title: 'Una versión más nueva escribió estos datos',
      next: 'Actualiza Sello; no se ha cambiado nada.',
    },
    store_damaged: {
      title: 'Los datos no se abren con esta llave',
      next: 'Revisa la llave o restaura la última copia; no se ha cambiado nada.',
    },
    keychain_locked: {
      title: 'El llavero está cerrado',
      next: 'Desbloquéalo y reinténtalo, o usa el código de recuperación.',
    },
    recovery_code_wrong: {
      title: 'Esos grupos no coinciden.',
      next: 'Revísalos: las letras I, L, O y U no aparecen nunca.',
    },
    command_unknown: { title: 'Esa orden no existe', next: 'Mira la ayuda.' },
  },
  faults: {
    required: 'Falta este dato',
    wrong_type: 'No es el tipo de dato que toca',
    too_big: 'Es demasiado largo o demasiado grande',
    too_small: 'Es demasiado corto o demasiado pequeño',
    unknown_field: 'Este dato no existe',
    not_allowed: 'No es una de las opciones',
    wrong_format: 'No tiene la forma correcta',
    wrong_shape: 'No tiene la forma correcta',
    too_many_decimals: 'Tiene demasiados decimales',
    control_character: 'Lleva caracteres de control: escríbelo otra vez',
    hidden_character: 'Lleva caracteres invisibles: escríbelo otra vez',
    broken_unicode: 'Lleva caracteres estropeados: escríbelo otra vez',
    not_a_date: 'No es una fecha',
    certificate_no_tax_number:
      'El certificado no dice de quién es: no lleva NIF. Asegúrate de que la AEAT lo admite.',
    certificate_third_party:
      'El certificado es de {holderNif}, no de tu empresa. Solo vale si tiene un apoderamiento o es colaborador social.',
    certificate_no_signature:
      'Su emisor no lo hizo para firmar, que es lo que pide la conexión. Usa el de identificación.',
    certificate_not_for_connections:
      'Su emisor no lo hizo para identificarse en una conexión. Usa el de identificación.',
    certificate_unknown_issuer:
      'Su emisor no es de los prestadores españoles conocidos. Asegúrate de que la AEAT lo admite.',
  },
}

{{- define "croupier.name" -}}
{{- if contains "croupier" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-croupier" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The headless service: the names under which replicas reach each other. */}}
{{- define "croupier.replicas" -}}
{{- include "croupier.name" . }}-replicas
{{- end -}}

{{- define "croupier.operatorSecret" -}}
{{- .Values.operatorToken.existingSecret | default (printf "%s-operator" (include "croupier.name" .)) -}}
{{- end -}}

{{- define "croupier.selector" -}}
app.kubernetes.io/name: croupier
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "croupier.labels" -}}
{{ include "croupier.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* Kubernetes asks gRPC health in the clear only: with TLS the socket is asked instead. */}}
{{- define "croupier.probe" -}}
{{- if .Values.tls.existingSecret -}}
exec:
  command: [python, -m, croupier_service.rpc.healthcheck, "unix:/run/croupier/service.sock"]
{{- else -}}
grpc:
  port: 7017
{{- end }}
timeoutSeconds: 5
{{- end -}}
